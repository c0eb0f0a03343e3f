package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/unwrap"
)

// full returns a Result with something in every field of the record.
func full() *extract.Result {
	r := sample("http://u:p@example.org/")
	r.Parts = uri.Split(r.URL)
	r.Target = []byte("http://xn--mller-kva.de/?u=http://a.example/")
	r.Candidate.Others = delimit.WithTail
	r.Origin.Date, r.Origin.Newsgroups, r.Origin.Field = "Sat, 01 Jan 2000 00:00:00 +0000", "comp.text", "Subject"
	r.Origin.Subject, r.Origin.From, r.Origin.To = "a subject", "a@b.example", "c@d.example"
	r.Origin.WARCTarget, r.Origin.WARCType = "http://c.example/", "response"
	return r
}

// TestFields checks that each entry of the table is complete, and that all formats have its field.
// If a field was added, this test names what is missing.
func TestFields(t *testing.T) {
	e := New(Options{})
	var object map[string]any
	if err := json.Unmarshal(e.AppendJSON(nil, full()), &object); err != nil {
		t.Fatal(err)
	}
	columnsOf := func(header, row []byte) map[string]string {
		cells := make(map[string]string)
		values := strings.Split(strings.TrimSuffix(string(row), "\n"), "\t")
		for i, name := range strings.Split(strings.TrimSuffix(string(header), "\n"), "\t") {
			cells[name] = values[i]
		}
		return cells
	}
	tsv := columnsOf(e.AppendTSVHeader(nil), e.AppendTSV(nil, full()))
	undated := full() // either date is there or date_text
	undated.Origin.Date = "someday"
	other := columnsOf(e.AppendTSVHeader(nil), e.AppendTSV(nil, undated))
	tsv["date_text"] = other["date_text"]
	var later map[string]any
	if err := json.Unmarshal(e.AppendJSON(nil, undated), &later); err != nil {
		t.Fatal(err)
	}
	object["date_text"] = later["date_text"]
	if other["date"] != "" || later["date"] != nil {
		t.Error("an unknown date has a value")
	}
	csv := strings.Split(strings.TrimSuffix(string(e.AppendCSVHeader(nil)), "\n"), ",")

	kinds := map[Type]string{String: "string", Integer: "float64", Boolean: "bool", Strings: "[]interface {}", Readings: "[]interface {}", Inners: "[]interface {}", Timestamp: "string"}
	seen := make(map[string]bool)
	for i := range fields {
		f := &fields[i]
		complain := func(what string) { t.Errorf("field %d, %q: %s", i, f.Name, what) }
		if !regexp.MustCompile(`^[a-z][a-z0-9_]*$`).MatchString(f.Name) || seen[f.Name] {
			complain("the name is not in lower case with underscores, or there twice")
		}
		seen[f.Name] = true
		if d := f.Description; d == "" || strings.HasSuffix(d, ".") || strings.ToLower(d[:1]) != d[:1] {
			complain("there is no description that is a phrase")
		}
		functions := 0
		for _, there := range []bool{f.bytes != nil, f.text != nil, f.integer != nil, f.truth != nil, f.list != nil, f.readings != nil} {
			functions += int(bit(there))
		}
		if functions != 1 {
			complain("there is not one function that takes the value")
		}
		value, there := object[f.Name]
		switch {
		case !there:
			complain("the JSON of full lacks it; fill it there")
		case there && reflect.TypeOf(value).String() != kinds[f.Type()]:
			complain("its value in JSON is of another type")
		}
		if tsv[f.Name] == "" {
			complain("the TSV of full lacks it")
		}
		if !slices.Contains(csv, f.Name) {
			complain("the header of CSV lacks it")
		}
		if !strings.Contains(f.Document(), f.Description) || f.Always != strings.Contains(f.Document(), "always there") {
			complain("the documentation is not that of the entry")
		}
		if f.timestamp && f.text == nil {
			complain("a timestamp is made by text")
		}
		if f.varies == seldom && f.Always {
			complain("it is always there, so it cannot be seldom there")
		}
	}
	if len(object) != len(fields) {
		t.Errorf("%d of the JSON, %d of the table", len(object), len(fields))
	}
}

// TestValuesNamed fails if the description of a field that has one of a few words lacks a word. The
// manual and the schema have no other list of them.
func TestValuesNamed(t *testing.T) {
	bits := func(name func(bit int) string) (names []string) {
		for i := 0; i < 32 && name(i) != ""; i++ {
			names = append(names, name(i))
		}
		return names
	}
	for field, names := range map[string][]string{
		"base_from":  bits(func(i int) string { return extract.BaseSource(i + 1).String() }),
		"form":       bits(func(i int) string { return delimit.Form(i + 1).String() }),
		"by":         bits(func(i int) string { return delimit.Extra(1 << i).String() }),
		"readings":   bits(func(i int) string { return delimit.Reading(1 << i).String() }),
		"inner":      bits(func(i int) string { return unwrap.By(i + 1).String() }),
		"suspicious": Suspicions,
	} {
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == field })
		words := regexp.MustCompile(`[\w-]+`).FindAllString(fields[i].Description, -1)
		for _, name := range names {
			// Rejoin asks for a reading, and never says how a text became a URL.
			if !slices.Contains(words, name) && name != delimit.Rejoin.String() {
				t.Errorf("the description of %s lacks %s", field, name)
			}
		}
		if len(names) < 4 {
			t.Errorf("%s: only %q", field, names)
		}
	}
}

// TestVaries checks what each field promises about the records that share its value.
func TestVaries(t *testing.T) {
	r := rand.New(rand.NewPCG(8259, 3))
	var va, vb view
	value := func(v *view, c *extract.Result, f *Field) string {
		v.of(c)
		return string(appendField(nil, v, f))
	}
	kinds, messages, usual, hostsCompared := 0, 0, 0, 0
	rounds := 20_000
	if !long {
		rounds = 8000
	}
	for range rounds {
		a, b := randomResult(r), randomResult(r)
		b.Valid, b.Accepts, b.Candidate.Prefixed, b.Candidate.Form = a.Valid, a.Accepts, a.Candidate.Prefixed, a.Candidate.Form
		b.Candidate.By, b.Candidate.Breaks = a.Candidate.By, a.Candidate.Breaks
		here := b.Origin
		b.Origin = a.Origin
		b.Origin.Offset, b.Origin.Length, b.Origin.Line, b.Origin.Column, b.Origin.Exact = here.Offset, here.Length, here.Line, here.Column, here.Exact
		kindA, packed := kindOf(a)
		kindB, _ := kindOf(b)
		for i := range fields {
			f := &fields[i]
			x, y := value(&va, a, f), value(&vb, b, f)
			switch {
			case f.varies == seldom && !unusual(a):
				if usual++; x != "" {
					t.Errorf("%s: a usual result has %s: see unusual", f.Name, x)
				}
			case f.varies == byKind && packed && kindA == kindB:
				if kinds++; x != y {
					t.Errorf("%s: %s and %s are of one kind: see kindOf", f.Name, x, y)
				}
			case f.varies == byHost:
				b := *b
				b.URL, b.Parts, b.Target = a.URL, a.Parts, a.Target
				if hostsCompared++; x != value(&vb, &b, f) {
					t.Errorf("%s: %s differs for the same reference", f.Name, x)
				}
			case f.varies == byMessage:
				if messages++; x != y || !a.Origin.SameText(&b.Origin) {
					t.Errorf("%s: %s and %s are of one message: see extract.Origin.SameText", f.Name, x, y)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	if kinds == 0 || messages == 0 || usual == 0 || hostsCompared == 0 {
		t.Errorf("compared %d, %d, %d and %d", kinds, messages, usual, hostsCompared)
	}
}

// change sets v to a value that is not its zero value.
func change(t *testing.T, v reflect.Value) {
	t.Helper()
	switch {
	case v.Type() == reflect.TypeFor[error]():
		v.Set(reflect.ValueOf(errors.New("changed")))
	case v.Type() == reflect.TypeFor[[]byte]():
		v.SetBytes([]byte("changed"))
	case v.Kind() == reflect.String:
		v.SetString("changed")
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	default:
		t.Fatalf("no value is known for a %s", v.Type())
	}
}

// inNoField has the parts of a Result that are in no field of the record, with the reason.
var inNoField = map[string]string{
	"Result.Parts":     "parse says it",
	"Candidate.Ref":    "url is it, with escapes",
	"Candidate.Raw":    "offset and length say where it is",
	"Candidate.Inner":  "a place in the decoded text",
	"Candidate.Outer":  "a place in the decoded text",
	"Candidate.Line":   "a place in the decoded text",
	"Candidate.Column": "a place in the decoded text",

	"Fields.FromAddress": "it is a part of from",
	"Candidate.Others":   "readings has it, if there is one to make",
}

// TestNothingForgotten checks that each part of a Result is in some field, or in inNoField.
func TestNothingForgotten(t *testing.T) {
	e := New(Options{})
	record := func(r *extract.Result) []byte { return e.json.byTable(nil, &e.view, r) }
	without := record(new(extract.Result))
	for _, part := range []func(*extract.Result) reflect.Value{
		func(r *extract.Result) reflect.Value { return reflect.ValueOf(r).Elem() },
		func(r *extract.Result) reflect.Value { return reflect.ValueOf(&r.Candidate).Elem() },
		func(r *extract.Result) reflect.Value { return reflect.ValueOf(&r.Origin).Elem() },
		func(r *extract.Result) reflect.Value { return reflect.ValueOf(&r.Origin.Fields).Elem() },
	} {
		kind := part(new(extract.Result)).Type()
		for i := range kind.NumField() {
			name := kind.Name() + "." + kind.Field(i).Name
			if !kind.Field(i).IsExported() || inNoField[name] != "" || slices.Contains([]string{"Candidate", "Origin", "Fields"}, kind.Field(i).Name) {
				continue
			}
			r := new(extract.Result)
			change(t, part(r).Field(i))
			if bytes.Equal(record(r), without) {
				t.Errorf("%s is in no field: add it to the table, or to inNoField", name)
			}
		}
	}
}

// TestSelect checks that columns are chosen by name, in order, in every format.
func TestSelect(t *testing.T) {
	some, err := Select("line", "url", "grammars")
	if err != nil {
		t.Fatal(err)
	}
	e := New(Options{Fields: some})
	if got, want := string(e.AppendJSON(nil, full())), `{"line":6,"url":"http://u:p@example.org/","grammars":["uri-2002","rfc3986"]}`+"\n"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if got, want := string(e.AppendCSV(e.AppendCSVHeader(nil), full())), "line,url,grammars\n6,http://u:p@example.org/,uri-2002 rfc3986\n"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if got, want := string(e.AppendTSV(e.AppendTSVHeader(nil), full())), "line\turl\tgrammars\n6\thttp://u:p@example.org/\turi-2002 rfc3986\n"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	for _, names := range [][]string{{"nothing"}, {"url", "line", "url"}, {""}} {
		_, err := Select(names...)
		if e := (*NameError)(nil); !errors.As(err, &e) || e.Name != names[len(names)-1] || e.Twice != (len(names) > 1) {
			t.Errorf("%q are fields", names)
		}
	}
}
