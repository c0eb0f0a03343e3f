package record

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// schema returns the compiled schema.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("record.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("record.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchema checks that every record of the fixtures is valid by the schema, and that wrong
// records are not.
func TestSchema(t *testing.T) {
	s := schema(t)
	e := New(Options{})
	n := 0
	check := func(r *extract.Result) {
		t.Helper()
		line := e.AppendJSON(nil, r)
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err == nil {
			err = s.Validate(v)
		}
		if n++; err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	x, err := extract.New(extract.Options{Subjects: true, Refused: true, MessageIDs: true,
		Delimit: delimit.Options{Extras: delimit.Abbreviated | delimit.Defanged | delimit.Address | delimit.Rejoin}})
	if err != nil {
		t.Fatal(err)
	}
	every := 1
	if !long {
		every = 5
	}
	i := 0
	for r := range x.Run(t.Context(), extract.Walker{Hidden: true}.Walk("../../fixtures")) {
		if i++; r != nil && i%every == 0 {
			check(r)
		}
	}
	check(full())
	if n < 1000 {
		t.Errorf("%d records", n)
	}
	for _, bad := range []string{`{}`, `[]`, `{"url":1}`, string(bytes.Replace(e.AppendJSON(nil, full()), []byte(`"url"`), []byte(`"uri"`), 1))} {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(bad)))
		if err == nil && s.Validate(v) == nil {
			t.Errorf("%s follows the schema", bad)
		}
	}
}
