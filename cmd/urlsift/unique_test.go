package main

import (
	"os"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/counts"
)

// TestPerURL holds that the README says of --unique what the help says.
func TestPerURL(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil || !strings.Contains(string(text), "`-u` remembers each URL, in "+counts.PerURL) {
		t.Errorf("the README does not say %s, %v", counts.PerURL, err)
	}
	if !strings.Contains(strings.Join(strings.Fields(help(sifting)), " "), counts.PerURL) {
		t.Errorf("the help does not say %s", counts.PerURL)
	}
}
