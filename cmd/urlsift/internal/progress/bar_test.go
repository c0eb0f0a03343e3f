package progress

import (
	"strings"
	"testing"
	"time"
)

// TestBar checks the bar on narrow terminals.
func TestBar(t *testing.T) {
	s := snapshot{read: 1 << 30, total: 4 << 30, found: 12345, rate: 300 << 20, time: 65 * time.Second}
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, " 25% 1.0 GiB of 4.0 GiB  300 MiB/s  12345 found  0:10 left"},
		{100, " 25% [########----------------------] 1.0 GiB of 4.0 GiB  300 MiB/s  12345 found  0:10 left"},
		{79, " 25% [#####-------------] 1.0 GiB of 4.0 GiB  300 MiB/s  12345 found  0:10 left"},
		{60, " 25% 1.0 GiB of 4.0 GiB  300 MiB/s  12345 found  0:10 left"},
		{50, " 25% 1.0 GiB of 4.0 GiB  12345 found  0:10 left"},
		{30, " 25% 12345 found  0:10 left"},
		{20, " 25% 12345 found"},
		{8, " 25%"},
		{2, ""},
	} {
		got := strings.TrimPrefix(s.line(c.width, true), "")
		if strings.TrimSpace(got) != strings.TrimSpace(c.want) || c.width > 0 && len(got) > c.width {
			t.Errorf("%d columns: %q, not %q", c.width, got, c.want)
		}
	}
	if got := s.line(100, false); !strings.Contains(got, "\x1b[32m########---") {
		t.Errorf("no colour in %q", got)
	}
	s.total = -1
	if got := s.line(0, true); got != "1.0 GiB  300 MiB/s  12345 found  after 1:05" {
		t.Errorf("%q", got)
	}
	s.ended = true
	if got := s.line(0, true); got != "100% 1.0 GiB  300 MiB/s  12345 found  done in 1:05" {
		t.Errorf("%q", got)
	}
	s.total, s.ended, s.read = 1, false, 2 // it grew
	if got := s.line(0, true); !strings.HasPrefix(got, "100% 2 B of 1 B") {
		t.Errorf("%q", got)
	}
}

// TestOrderlyBar checks that the bar has only its own escape sequences, and no text of the input.
func TestOrderlyBar(t *testing.T) {
	for _, width := range []int{0, 20, 80} {
		line := snapshot{read: 5, total: 7, found: 3, rate: 2, ended: width == 20}.line(width, false)
		rest := strings.NewReplacer("\x1b[32m", "", "\x1b[m", "").Replace(line)
		for _, b := range []byte(rest) {
			if b < ' ' || b > '~' {
				t.Errorf("%q in %q", b, line)
			}
		}
	}
}
