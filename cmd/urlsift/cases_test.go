package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// A caseRow is a row of the public table for delimiting; fixtures/cases/README.md
// says what its fields mean.
type caseRow struct {
	ID        string
	Text      string
	Flags     []string
	Field     string // the field of the record that is compared with Want[i].Text
	Contested any
	Want      []struct {
		Text, Form string
		Prefix     *bool
		Readings   []string
	}
}

// overruled are the rows whose answers newer rules change: rule 22, and rule 30 (A267).
var overruled = map[string]string{
	"A203": "about:blank",
	"A204": "view-source:http://example.org/x",
	"A205": "jdbc:postgresql://db.example.org/x",
	"A267": "http://example.org/a_b",
}

// TestCases runs the whole command for each row of the public table that is not contested. The text
// is standard input, the records are the output. Rows without flags are plain text. The short form
// runs one row in three; TestPublicCases in package delimit has all of them.
func TestCases(t *testing.T) {
	skipRace(t)
	f, err := os.Open("../../fixtures/cases/delimit.public.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row caseRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if text := overruled[row.ID]; text != "" {
			row.Want = slices.Grow(row.Want[:0], 1)[:1]
			row.Want[0].Text = text
		}
		if row.Contested == nil {
			if rows++; long || rows%3 == 0 {
				row.run(t)
			}
		}
	}
	if rows < 200 {
		t.Errorf("only %d rows were run", rows)
	}
}

func (row *caseRow) run(t *testing.T) {
	t.Helper()
	args := append([]string{"--format", "jsonl"}, row.Flags...)
	if !slices.Contains(row.Flags, "--as") {
		args = append(args, "--as", "plain")
	}
	cmd := exec.Command("urlsift", args...)
	cmd.Stdin = bytes.NewReader([]byte(row.Text))
	out, _ := cmd.Output() // the status is 1 if nothing is found
	var got []map[string]any
	for line := range bytes.Lines(out) {
		var record map[string]any
		if err := json.Unmarshal(line, &record); err != nil {
			t.Fatalf("%s: %q: %v", row.ID, line, err)
		}
		got = append(got, record)
	}
	if len(got) != len(row.Want) {
		t.Errorf("%s: %q: %d records, want %d:\n%s", row.ID, row.Text, len(got), len(row.Want), out)
		return
	}
	field := row.Field
	if field == "" {
		field = "text"
	}
	for i, want := range row.Want {
		record := got[i]
		if record[field] != want.Text {
			t.Errorf("%s: %q: %s is %q, want %q", row.ID, row.Text, field, record[field], want.Text)
		}
		if want.Form != "" && record["form"] != want.Form {
			t.Errorf("%s: %q: form is %v, want %s", row.ID, row.Text, record["form"], want.Form)
		}
		if prefix, _ := record["prefix"].(bool); want.Prefix != nil && prefix != *want.Prefix {
			t.Errorf("%s: %q: prefix is %v", row.ID, row.Text, prefix)
		}
		for _, reading := range want.Readings {
			if !offers(record, reading) {
				t.Errorf("%s: %q: %q is not among the readings: %v", row.ID, row.Text, reading, record["readings"])
			}
		}
	}
}

// offers reports whether record has reading among its readings.
func offers(record map[string]any, reading string) bool {
	all, _ := record["readings"].([]any)
	return slices.ContainsFunc(all, func(r any) bool {
		m, _ := r.(map[string]any)
		return m["text"] == reading
	})
}
