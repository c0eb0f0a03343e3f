package main

import (
	"os"
	"strings"
	"testing"
)

// TestPerURL holds that the README says of --unique what the help says.
func TestPerURL(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil || !strings.Contains(string(text), "`-u` remembers each URL, in "+perURL) {
		t.Errorf("the README does not say %s, %v", perURL, err)
	}
	if !strings.Contains(strings.Join(strings.Fields(help(sifting)), " "), perURL) {
		t.Errorf("the help does not say %s", perURL)
	}
}
