package delimit

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// A caseRow is a row of the public table, which the README in its folder describes.
type caseRow struct {
	ID, Text, Field string
	Flags           []string
	Contested       bool
	Want            []struct {
		Text, Form string
		Prefix     *bool
		Readings   []string
	}
}

// refusedByGrammar are the rows with a candidate that delimiting finds and the grammar then
// rejects. These tests skip them.
var refusedByGrammar = map[string]string{
	"A361": "http://{host}/ is set apart like a reference; { } are no host's",
}

// overruled are the rows whose answers newer rules change: rule 22, and rule 30 (A267).
var overruled = map[string]string{
	"A203": "about:blank",
	"A204": "view-source:http://example.org/x",
	"A205": "jdbc:postgresql://db.example.org/x",
	"A267": "http://example.org/a_b",
}

// publicCases reads the rows that this package can answer alone, without HTML, base and grammar.
func publicCases(t testing.TB) (rows []caseRow) {
	file, err := os.Open("../fixtures/cases/delimit.public.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row caseRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Contested || row.Field == "target" || slices.Contains(row.Flags, "--as") || refusedByGrammar[row.ID] != "" {
			continue
		}
		if text := overruled[row.ID]; text != "" {
			row.Want = slices.Grow(row.Want[:0], 1)[:1]
			row.Want[0].Text = text
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func (row caseRow) options(t testing.TB) (opts Options) {
	for _, flag := range row.Flags {
		switch name := strings.TrimPrefix(flag, "--"); name {
		case "abbreviated", "defanged", "addresses", "rejoin":
			if err := opts.Extras.UnmarshalText([]byte(strings.TrimSuffix(strings.Replace(name, "addresses", "address", 1), " "))); err != nil {
				t.Fatal(err)
			}
		case "grammar", "rfc3986": // these rows depend on the grammar
		default:
			t.Fatalf("%s: flag %s", row.ID, flag)
		}
	}
	return opts
}

// check compares found with the row.
func (row caseRow) check(t testing.TB, who string, found []slowCandidate) {
	t.Helper()
	var texts []string
	for _, c := range found {
		if row.Field == "url" {
			texts = append(texts, c.Ref)
		} else {
			texts = append(texts, c.Text)
		}
	}
	var want []string
	for _, w := range row.Want {
		want = append(want, w.Text)
	}
	if !slices.Equal(texts, want) {
		t.Errorf("%s: %s: %.300q:\n   got %.300q\n  want %.300q", row.ID, who, row.Text, texts, want)
		return
	}
	for i, w := range row.Want {
		c := found[i]
		if w.Form != "" && w.Form != c.Form.String() || w.Prefix != nil && *w.Prefix != c.Prefixed {
			t.Errorf("%s: %s: %q: form %v, prefix %v", row.ID, who, row.Text, c.Form, c.Prefixed)
		}
		for _, reading := range w.Readings {
			if !slices.ContainsFunc(c.Readings, func(r slowReading) bool { return r.Text == reading }) {
				t.Errorf("%s: %s: %q: no reading %q in %v", row.ID, who, row.Text, reading, c.Readings)
			}
		}
	}
}

// TestPublicCases runs the Scanner and its slow twin on every row of the public table that
// delimiting alone can answer.
func TestPublicCases(t *testing.T) {
	rows := publicCases(t)
	if len(rows) < 200 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, row := range rows {
		opts := row.options(t)
		row.check(t, "scanner", scan(t, strings.NewReader(row.Text), opts))
		row.check(t, "twin", slowFind([]byte(row.Text), opts))
	}
}
