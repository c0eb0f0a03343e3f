package flags

import "testing"

// TestMistyped checks that the nearest subcommand is suggested for a misspelt word that is not the
// name of a file.
func TestMistyped(t *testing.T) {
	t.Chdir(t.TempDir())
	for word, want := range map[string]string{
		"prase": "parse", "pars": "parse", "parse": "", "./parse": "", "-h": "", "normalise": "normalize", "Resolve": "resolve", "equals": "equal",
		"mann": "man", "a": "", "ab": "", "logs": "", "mail.txt": "", "scheme": "schema", "": "",
	} {
		if got := Mistyped([]string{word}); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	if got := Mistyped(nil); got != "" {
		t.Error(got)
	}
}
