package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestKinds runs the whole command for each file of the public table of kinds of text. The command
// must recognise the kind, and print the references in order.
func TestKinds(t *testing.T) {
	skipRace(t)
	f, err := os.Open("../../fixtures/cases/kinds.public.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files := map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row struct {
			Kind, Text string
			Want       []string
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(kindsRead, row.Kind) {
			continue
		}
		files[row.Kind]++
		cmd := exec.Command("urlsift", "--format", "jsonl", "--grammar", "rfc3986")
		cmd.Stdin = bytes.NewReader([]byte(row.Text))
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", row.Text, err)
		}
		var got []string
		for line := range bytes.Lines(out) {
			var r struct {
				Text, URL      string
				By             []string
				Offset, Length int
			}
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatal(err)
			}
			got = append(got, r.Text)
			if row.Kind == "broken" && (strings.Count(r.URL, "%25") == strings.Count(r.Text, "%25") || !slices.Equal(r.By, []string{"repaired"})) {
				t.Errorf("%s becomes %s by %q", r.Text, r.URL, r.By)
			}
			if row.Kind == "csv" && row.Text[r.Offset:r.Offset+r.Length] != r.Text {
				t.Errorf("%s stands at %d: %q", r.Text, r.Offset, row.Text[r.Offset:r.Offset+r.Length])
			}
		}
		if !slices.Equal(got, row.Want) {
			t.Errorf("%s: %s\n got %q\nwant %q", row.Kind, row.Text, got, row.Want)
		}
	}
	for _, k := range kindsRead {
		if files[k] < 8 {
			t.Errorf("%d files of kind %s were run", files[k], k)
		}
	}
}

// kindsRead are the kinds of the table that are run.
var kindsRead = []string{"csv", "roff", "tex", "marks", "broken", "label"}
