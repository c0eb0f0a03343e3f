package flags

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// bold matches a letter and a backspace. The same letter follows, and printing it twice makes it
// bold.
var bold = regexp.MustCompile(`.\x08`)

// TestManWarnings formats the man page with groff, mandoc and man, with all warnings on. There must
// be no warnings, and the page must be complete.
func TestManWarnings(t *testing.T) {
	page := filepath.Join(t.TempDir(), "urlsift.1")
	if err := os.WriteFile(page, []byte(Manual("v1.2.3", "2026-11-22")), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"man":    {"--warnings=w", "-E", "UTF-8", "-l", page},
		"groff":  {"-man", "-ww", "-Tutf8", "-P-cbou", page},
		"mandoc": {"-Wwarning", "-Tutf8", page},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(name); err != nil {
				t.Skipf("SKIPPED: there is no %s to format the man page with", name)
			}
			cmd := exec.Command(name, args...)
			cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "MANWIDTH=80", "MANPAGER=cat", "PAGER=cat", "MAN_KEEP_FORMATTING=")
			var complaints strings.Builder
			cmd.Stderr = &complaints
			out, err := cmd.Output()
			for line := range strings.Lines(complaints.String()) {
				if !strings.Contains(line, "see above the output") {
					t.Error(line)
				}
			}
			if err != nil && name != "mandoc" {
				t.Error(err)
			}
			text := strings.Join(strings.Fields(bold.ReplaceAllString(string(out), "")), " ")
			for _, want := range []string{"URLSIFT(1)", "v1.2.3", "2026-11-22", "EXAMPLES", "\\x1b", `\N in tsv`} {
				if !strings.Contains(text, want) {
					t.Errorf("there is no %s", want)
				}
			}
		})
	}
}
