package flags

import (
	"slices"
	"strings"
	"testing"
)

// TestWrapText checks that wrap --text rejects each flag of wrap that would have no effect. For
// example, --redact would not hide passwords.
func TestWrapText(t *testing.T) {
	apply := []string{"width", "indent", "quote", "prefix", "text", "output", "color", "quiet", "help", "no-messages", "progress"}
	values := map[string]string{"format": "jsonl", "grammar": "url-1993", "quote": "> ", "width": "40", "indent": "2"}
	refused := 0
	for f := range Wrap.flags {
		if f.set == nil {
			continue
		}
		value := values[f.long]
		if value == "" && f.arg == "" {
			value = "true"
		}
		o := Options{Task: Wrap}
		o.Refs.Layout.Text = true
		if err := f.set(&o, value); err != nil {
			t.Fatalf("--%s=%s: %v", f.long, value, err)
		}
		switch err := o.Settle(); {
		case slices.Contains(apply, f.long):
			if err != nil {
				t.Errorf("--%s: %v", f.long, err)
			}
		case err == nil || !strings.HasSuffix(err.Error(), "--"+f.long):
			t.Errorf("--%s is not refused: %v", f.long, err)
		default:
			refused++
		}
		if o.Refs.Layout.Text = false; o.Settle() != nil {
			t.Errorf("--%s is refused without --text", f.long)
		}
	}
	if refused < 5 {
		t.Errorf("only %d flags were refused", refused)
	}
}

// TestBrief checks that -h fits a screen, and that each line of it is a whole flag.
func TestBrief(t *testing.T) {
	for _, task := range []Task{Find, Count, Report} {
		lines := strings.Split(strings.TrimSuffix(Brief(task), "\n"), "\n")
		if len(lines) > 36 {
			t.Errorf("%s: %d lines", task.command(), len(lines))
		}
		for _, line := range lines {
			if len(line) > 80 || strings.HasPrefix(line, "       ") {
				t.Errorf("%s: %q", task.command(), line)
			}
		}
	}
}
