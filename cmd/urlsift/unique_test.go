package main

import (
	"os"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/track"
)

// TestPerURL checks that doc/limits.md says the same about --unique as the help.
func TestPerURL(t *testing.T) {
	text, err := os.ReadFile("doc/limits.md")
	if err != nil || !strings.Contains(string(text), "each URL in "+track.PerURL) {
		t.Errorf("doc/limits.md does not say %s, %v", track.PerURL, err)
	}
	if !strings.Contains(strings.Join(strings.Fields(flags.Text(flags.Find)), " "), track.PerURL) {
		t.Errorf("the help does not say %s", track.PerURL)
	}
}
