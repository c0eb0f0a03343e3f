package record

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// dangers are texts that some program reads as a formula, or that make the text after them a
// formula.
var dangers = []string{
	"plain", "a, \"quoted\" b", "more", // three cells from which a program guesses the dialect
	"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠1", `"=1+1"`, `"=1`, `""=1""`, `"`, ` "=1"`, " =1", "  +1",
	`a","=1`, "a\",\n=1", "a\t=1", "a\n=1", "a,=1", `\"=1`, `=1"a",b`, "'=1'", `'"=1`, "a", "", "x y",
	"x\f=1+1", "x\v=1", "x\x1c=1", "x\x1d+1", "x\x1e @1", "x\u0085=1", "x\u2028-1", "x\u2029＝1", "x\f\f=1,=1", "x\f\"=1\"", "x\f", "\f=1\u2028=2", "x\fy", "é\u2027=1", "x\v\n=1",
}

// withinLines matches what a formula within a cell begins with.
var withinLines = regexp.MustCompile("([\v\f\x1c\x1d\x1e\u0085\u2028\u2029])( *[-=+@\"＝＋－＠\n])")

// TestGuardPython reads guarded tables with Python's csv module, in every dialect with the same
// separator of cells. No cell may be a formula, and the cells must be those that were written.
func TestGuardPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import csv, json").Run() != nil {
		t.Skip("SKIPPED, NOTHING IS HELD: there is no python3 to read tables with")
	}
	var results []*extract.Result
	for _, text := range dangers {
		results = append(results, sample(text))
	}
	const comma, tab = ",", "\t"
	for i, c := range []struct {
		separator string
		dialect   string
		faithful  bool // the reader decodes all that the table escapes
	}{
		{comma, "excel", true}, {comma, "unix", true}, {comma, "sniffed", true}, {tab, "none", true},
		{comma, "lines", false}, {tab, "lines", false}, {tab, "unquoted-lines", false},
		{tab, "excel-tab", false}, {tab, "unix", false}, {tab, "sniffed", false},
	} {
		if !long && i%3 != 0 {
			continue
		}
		e := New(Options{Guard: true})
		table, appendRow := e.AppendCSVHeader(nil), e.AppendCSV
		if c.separator == tab {
			table, appendRow = e.AppendTSVHeader(nil), e.AppendTSV
		}
		for _, r := range results {
			table = appendRow(table, r)
		}
		cmd := exec.Command(python, filepath.Join("testdata", "guard.py"), c.dialect, c.separator)
		cmd.Stdin = bytes.NewReader(table)
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v: %s", c.dialect, err, complaints.Bytes())
		}
		var rows [][]string
		if err := json.Unmarshal(out, &rows); err != nil {
			t.Fatal(err)
		}
		where := strconv.Quote(c.separator) + " as " + c.dialect
		parted := strings.HasSuffix(c.dialect, "lines") // rows, too
		if len(rows) != 1+len(dangers) && !(parted && c.separator == tab && len(rows) > len(dangers)) {
			t.Errorf("%s: %d rows for %d records", where, len(rows), len(dangers))
		}
		for i, row := range rows {
			if len(row) != len(fields) && !(parted && c.separator == tab) {
				t.Errorf("%s: %d cells: %q", where, len(row), row)
			}
			for _, cell := range row {
				for _, sign := range formulaSigns {
					if strings.HasPrefix(cell, string(sign)) {
						t.Errorf("%s: row %d has the formula %q", where, i, cell)
					}
				}
			}
			if i == 0 || !c.faithful || i > len(dangers) {
				continue
			}
			// The first cell is the URL, which the sample has verbatim.
			want := withinLines.ReplaceAllString(dangers[i-1], "$1'$2")
			if c.separator == tab {
				want = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`).Replace(want)
			}
			if got := row[0]; got != want && got != "'"+want {
				t.Errorf("%s: %s is read as %s", where, strconv.Quote(want), strconv.Quote(got))
			}
		}
	}
}
