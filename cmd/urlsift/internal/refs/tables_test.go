package refs

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
)

// These tests run the subcommands on the tables of fixtures/cases, from the text to the record. The
// README there explains the rows.

// A row is one JSON object of a table.
type row map[string]any

func (r row) text(name string) string { s, _ := r[name].(string); return s }

// rowsOf returns the rows of a table.
func rowsOf(t *testing.T, table string) (rows []row) {
	t.Helper()
	f, err := os.Open(filepath.Join("../../../../fixtures/cases", table+".public.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if len(rows) < 17 {
		t.Fatalf("%s: only %d rows", table, len(rows))
	}
	return rows
}

// ask returns the Answerer for a subcommand and its flags, written --name value or --name.
func ask(t *testing.T, args ...string) *Answerer {
	t.Helper()
	var o Options
	o.Do = map[string]Command{"parse": Parse, "resolve": Resolve, "normalize": Normalize, "equal": Parse}[args[0]]
	for args = args[1:]; len(args) > 0; args = args[1:] {
		var err error
		value := func() []byte {
			args = args[1:]
			return []byte(args[0])
		}
		switch args[0] {
		case "--grammar":
			err = o.Grammar.UnmarshalText(value())
		case "--excess":
			err = o.Excess.UnmarshalText(value())
		case "--base":
			o.Base = string(value())
		case "--lax":
			o.Lax = true
		case "--typed":
			o.Typed = true
		case "--redact":
			o.Redact = true
		default:
			t.Fatalf("no test knows %s", args[0])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	j, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// record returns the record of the answer to ref, parsed from its JSON.
func (a *Answerer) record(t *testing.T, ref string) (r row) {
	t.Helper()
	p := Printer{Do: a.Do, Format: output.JSONL}
	line := p.Append(nil, a.Answer(ref))
	if err := json.Unmarshal(line, &r); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return r
}

func TestParseFields(t *testing.T) {
	for _, r := range rowsOf(t, "scheme_components") {
		got := ask(t, "parse", "--grammar", r.text("grammar")).record(t, r.text("url"))
		fields := got["fields"].(map[string]any)
		for name, value := range r["fields"].(map[string]any) {
			if is, there := fields[name]; !there || !reflect.DeepEqual(is, value) {
				t.Errorf("%s: %s is %v (%v), not %v", r.text("url"), name, is, there, value)
			}
		}
		if want := r["gopher_request"]; want != nil && fields["gopher_request"] != want {
			t.Errorf("%s: %v is sent, not %v", r.text("url"), fields["gopher_request"], want)
		}
		if valid := r["contested"] == nil; valid != got["valid"] || valid == (got["error"] != nil) {
			t.Errorf("%s: valid is %v, and the error %v", r.text("url"), got["valid"], got["error"])
		}
	}
}

func TestParseComponents(t *testing.T) {
	j := ask(t, "parse")
	for _, r := range rowsOf(t, "split") {
		got := j.record(t, r.text("ref"))
		for name, value := range r {
			if got[name] != value {
				t.Errorf("%q: %s is %v, not %v", r.text("ref"), name, got[name], value)
			}
		}
	}
	for _, r := range rowsOf(t, "authority") {
		got := j.record(t, "x://"+r.text("authority")+"/")
		for _, parts := range []string{"url-1997:parts", "uri-2002:parts", "rfc3986:parts"} {
			want, _ := r[parts].(map[string]any)
			for name, value := range want {
				if name != "host_kind" && got[name] != value {
					t.Errorf("%s %s: %s is %v, not %v", r.text("authority"), parts, name, got[name], value)
				}
			}
		}
	}
}

func TestParseGrammars(t *testing.T) {
	for _, g := range Grammars {
		j := ask(t, "parse", "--grammar", g)
		for _, r := range rowsOf(t, "validity_"+g) {
			got := j.record(t, r.text("ref"))
			accepting := make(map[any]bool)
			for _, name := range got["grammars"].([]any) {
				accepting[name] = true
			}
			for _, other := range Grammars {
				if want := r[other]; want != nil && want != accepting[other] {
					t.Errorf("%q: %s has it is %v, not %v", r.text("ref"), other, accepting[other], want)
				}
			}
			if got["valid"] != accepting[g] || (got["error"] == nil) != accepting[g] {
				t.Errorf("%q: valid is %v, and the error %v", r.text("ref"), got["valid"], got["error"])
			}
		}
	}
}

// checkTarget compares a record of resolve with a cell of a table. The cell may have no
// expectation, a target, that there is no target, or that the reference is to the current document.
func checkTarget(t *testing.T, how string, got row, want any) {
	t.Helper()
	switch w := want.(type) {
	case string:
		if got["target"] != w || got["error"] != nil {
			t.Errorf("%s: %v of %v is %v (%v), not %s", how, got["ref"], got["base"], got["target"], got["error"], w)
		}
	case map[string]any:
		excess := w["error"] != nil
		if got["target"] != nil || excess != (got["error"] != nil) || got["same_document"] == excess {
			t.Errorf("%s: %v of %v is %v, not %v", how, got["ref"], got["base"], got, w)
		}
	}
}

func TestResolve(t *testing.T) {
	for _, r := range rowsOf(t, "resolution") {
		ref := r.text("ref")
		record := func(args ...string) row {
			return ask(t, append([]string{"resolve", "--base", r.text("base")}, args...)...).record(t, ref)
		}
		for _, g := range Grammars[:4] {
			if r[g] != nil { // only then must the base be valid
				checkTarget(t, g, record("--grammar", g), r[g])
			}
		}
		for mode, byExcess := range r["uri-2002"].(map[string]any) {
			for excess, want := range byExcess.(map[string]any) {
				args := []string{"--excess", excess}
				if mode == "non-validating" {
					args = append(args, "--lax")
				}
				checkTarget(t, "uri-2002 "+mode, record(args...), want)
			}
		}
		last := r["rfc3986"].(map[string]any)
		got := record("--grammar", "rfc3986")
		checkTarget(t, "rfc3986", got, last["strict"])
		if want := last["same_document"]; want != nil && got["same_document"] != want {
			t.Errorf("rfc3986: %s of %s: same document is %v, not %v", ref, r.text("base"), got["same_document"], want)
		}
		checkTarget(t, "rfc3986 lax", record("--grammar", "rfc3986", "--lax"), last["non-strict"])
	}
}

// TestAppendices checks the examples that the documents print.
func TestAppendices(t *testing.T) {
	for _, table := range []string{"appendix_c_1997", "appendix_c_2002", "rfc3986_5_4"} {
		for _, r := range rowsOf(t, table) {
			args := []string{"resolve", "--base", r.text("base"), "--grammar", r.text("doc")}
			if excess := r.text("excess"); excess != "" {
				args = append(args, "--excess", excess)
			}
			if mode := r.text("mode"); mode == "non-validating" || mode == "non-strict" {
				args = append(args, "--lax")
			}
			checkTarget(t, table+" "+r.text("section"), ask(t, args...).record(t, r.text("ref")), r["expected"])
		}
	}
}

// TestEqual checks the exit statuses of equal. A null in the table means no answer. That equal
// references have the same normal form is tested in package uri.
func TestEqual(t *testing.T) {
	status := map[any]int{true: areEqual, false: areNot, nil: failed}
	for _, r := range rowsOf(t, "equivalence") {
		for _, g := range Grammars {
			want := r[g]
			if g == "rfc3986" {
				want = r["rfc3986-scheme"]
			}
			j := ask(t, "equal", "--grammar", g)
			j.Refs = []string{r.text("a"), r.text("b")}
			got, err := Compare(j.Options)
			if (got == failed) != (err != nil) {
				t.Errorf("%s: status %d with %v", j.Refs, got, err)
			}
			if want == nil && (strings.HasPrefix(g, "url-199") || got != areNot) {
				continue // the table has no question or no answer here; fixtures/equal has our answers
			}
			if got != status[want] {
				t.Errorf("%s: %q by %s: status %d (%v), table has %v", r.text("why"), j.Refs, g, got, err, want)
			}
		}
	}
}
