package main

import (
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestCountLines(t *testing.T) {
	for text, want := range map[string]count{
		"":                                {},
		"http://a/\n":                     {1, 1},
		"HTTPS://a/\nftp://b/\n\nhttps\n": {4, 1},
		"httpx://a/\nhttp:\n":             {2, 1},
	} {
		got, err := countLines(iotest.OneByteReader(strings.NewReader(text)))
		if err != nil || got != want {
			t.Errorf("countLines(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestBy(t *testing.T) {
	r := row{runs: []measure{{wall: 3}, {wall: 1}, {wall: 10}, {wall: 2}}}
	lo, mid, hi := r.by(func(m measure) float64 { return float64(m.wall / time.Nanosecond) })
	if lo != 1 || mid != 2.5 || hi != 10 {
		t.Errorf("by = %v, %v, %v, want 1, 2.5, 10", lo, mid, hi)
	}
}

func TestSlug(t *testing.T) {
	h := hardware{"Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz", 2}
	if got, want := h.slug(), "intel-xeon-gold-6130-2.10ghz-2cpu"; got != want {
		t.Errorf("slug = %q, want %q", got, want)
	}
}
