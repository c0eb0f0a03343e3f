package flags

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// offers has command lines and the completions that each shell offers for the last word, apart from
// files.
var offers = []struct{ line, want, not string }{
	{"urlsift --form", "--format", "--fields"},
	{"urlsift --format=", "text jsonl csv tsv", "parse help"},
	{"urlsift --format=js", "jsonl", "csv"},
	{"urlsift --format c", "csv", "jsonl"},
	{"urlsift -n --progress ", "auto always never", "parse --format"},
	{"urlsift --stats=", "table json", "parse"},
	{"urlsift --stats=j", "json", "table"},
	{"urlsift --parts pl", "plain", "html"},
	{"urlsift --parts plain,h", "html header", "plain all"},
	{"urlsift --parts=plain,he", "header", "html"},
	{"urlsift --fields url,source,mem", "member", "url"},
	{"urlsift --grammar rfc3986+uri", "uri-2002", "url-1993"},
	{"urlsift pa", "parse", "man"},
	{"urlsift --files-from a-l", "a-list", "--format"},
	{"urlsift --files-from=a-l", "a-list", "--format"},
	{"urlsift completion ", "bash zsh fish", "parse"},
	{"urlsift help no", "normalize", "parse"},
	{"urlsift parse --gr", "--grammar", "--unique"},
	{"urlsift parse --format=t", "text tsv", "csv"},
	{"urlsift resolve --ba", "--base", "--scheme"},
}

// TestComplete runs the completion scripts in bash, zsh and fish.
func TestComplete(t *testing.T) {
	for shell, ask := range map[string]func(dir, line string) *exec.Cmd{"bash": askBash, "zsh": askZsh, "fish": askFish} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(shell); err != nil {
				t.Skipf("SKIPPED: there is no %s to complete with", shell)
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "_urlsift"), []byte(Completions[shell]()), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "a-list"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			for _, c := range offers {
				if shell == "bash" && strings.Contains(c.line, "files-from") {
					continue // if the answer is empty, bash itself offers files
				}
				cmd := ask(dir, c.line)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "TERM=dumb")
				out, err := cmd.Output()
				var e *exec.ExitError
				if errors.As(err, &e) {
					t.Fatalf("%s: %v: %s", c.line, err, e.Stderr)
				} else if err != nil {
					t.Fatal(err)
				}
				got := offered(string(out))
				for _, word := range strings.Fields(c.want) {
					if !slices.Contains(got, word) {
						t.Errorf("%s: no %s in %q", c.line, word, got)
					}
				}
				for _, word := range strings.Fields(c.not) {
					if slices.Contains(got, word) {
						t.Errorf("%s: there is %s in %q", c.line, word, got)
					}
				}
			}
		})
	}
}

// offered returns the words in lines. It removes the part of a word in front of '=', the earlier
// words of a list, and the tab and description that fish adds.
func offered(lines string) (words []string) {
	for line := range strings.Lines(lines) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		words = append(words, word[strings.LastIndexAny(strings.TrimRight(word, "=,+"), "=,+")+1:])
	}
	return words
}

// askBash divides the line as bash does, at blanks and around '='.
func askBash(dir, line string) *exec.Cmd {
	words := strings.Split(strings.ReplaceAll(line, "=", " = "), " ")
	if strings.HasSuffix(line, "=") {
		words = words[:len(words)-1]
	}
	script := `. ./_urlsift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _urlsift; printf '%s\n' "${COMPREPLY[@]}"`
	return exec.Command("bash", append([]string{"--norc", "-c", script, "bash"}, words...)...)
}

func askZsh(dir, line string) *exec.Cmd {
	script, err := filepath.Abs("testdata/capture.zsh")
	if err != nil {
		panic(err)
	}
	return exec.Command("zsh", "-f", script, dir, line)
}

func askFish(dir, line string) *exec.Cmd {
	return exec.Command("fish", "--no-config", "-c", `source ./_urlsift; complete -C $argv[1]`, line)
}
