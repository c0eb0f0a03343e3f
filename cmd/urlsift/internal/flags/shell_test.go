package flags

import (
	"strings"
	"testing"
)

// TestTold checks that each flag and each subcommand is in the help, the man page and the scripts
// of all shells.
func TestTold(t *testing.T) {
	texts := map[string]string{"help": Text(Find), "man": Manual("v1.2.3", "")}
	for _, s := range subcommands {
		text := Text(s.task)
		if first, _, _ := strings.Cut(text, "\n"); first != "urlsift "+s.name+": "+s.help {
			t.Errorf("help of %s begins with %s", s.name, first)
		}
		texts["help"] += text
	}
	for shell, write := range Completions {
		texts[shell] = write()
	}
	for where, text := range texts {
		for _, s := range subcommands {
			if !strings.Contains(text, s.name) {
				t.Errorf("%s: nothing of %s", where, s.name)
			}
		}
		for _, f := range table {
			name := "--" + f.long
			switch where {
			case "man":
				name = strings.ReplaceAll(name, "-", `\-`)
			case "fish":
				name = "-l " + f.long
			}
			if !strings.Contains(text, name) {
				t.Errorf("%s: nothing of --%s", where, f.long)
			}
			for _, w := range f.words {
				if where == "man" {
					w = strings.ReplaceAll(w, "-", `\-`)
				}
				if !strings.Contains(text, w) {
					t.Errorf("%s: nothing of --%s %s", where, f.long, w)
				}
			}
		}
	}
	for _, s := range []string{"EXIT STATUS", "ENVIRONMENT", "EXAMPLES", `"base_from"`} {
		if !strings.Contains(texts["man"], s) {
			t.Errorf("man: nothing of %s", s)
		}
	}
	for line := range strings.Lines(texts["help"]) {
		if len(line) > 81 {
			t.Errorf("help: a line of %d columns: %s", len(line), line)
		}
	}
}
