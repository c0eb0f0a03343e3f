package extract

import (
	"reflect"
	"testing"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
)

// unhashed are the Options that a run with --state may change without reading differently. They
// change neither which references are found nor where, or other runs must find the same.
var unhashed = map[string]string{
	"Excess":    "of the target alone",
	"Lax":       "of the target alone",
	"Normalize": "of the spelling alone: see Result.hash",
	"Subjects":  "of fields beside the reference",
	"LogTimes":  "of fields beside the reference",
	"Resume":    "what the hashes are for",
	"Unordered": "of the order alone",
	"Workers":   "of the order alone",
	"Article":   "the Extractor sets it for each text",
	"NoLines":   "of numbers alone",
	"Known":     "a function",
	"Depth":     "a limit: what is over it is an error, which is reported once",
	"Nesting":   "a limit",
	"Size":      "a limit",
	"Ratio":     "a limit",
	"Window":    "a limit",
}

// TestOptionsHashed checks that each field of Options is in one of the two hashes of a Place, or
// says above why it need not be. A run that goes on with other options would otherwise miss what
// only these find.
func TestOptionsHashed(t *testing.T) {
	for _, field := range leaves(reflect.TypeFor[Options](), nil) {
		var o Options
		found, read := o.hashes()
		change(reflect.ValueOf(&o).Elem().FieldByIndex(field.Index))
		changedFound, changedRead := o.hashes()
		hashed := found != changedFound || read != changedRead
		if _, listed := unhashed[field.Name]; listed == hashed {
			t.Errorf("Options.%s is in a hash: %v, is in the list above: %v; one of them must be so", field.Name, hashed, listed)
		}
	}
}

// TestResultHash checks that the hash of a result does not depend on options that are in no hash of
// a Place, so that a run with others knows it again.
func TestResultHash(t *testing.T) {
	ref := "HTTP://A.example:80/%7ex"
	r := Result{URL: []byte(ref), Candidate: delimit.Candidate{Ref: []byte(ref)}}
	was := r.hash()
	r.Target, r.Base, r.BaseSource = []byte("http://b.example/"), "http://b.example/", FromOption
	r.URL = uri.AppendNormal(nil, r.URL, uri.Split(r.URL), uri.URI2002)
	if string(r.URL) == ref || r.hash() != was {
		t.Errorf("%s has another hash than %s", r.URL, ref)
	}
	r.Origin.Offset++
	if r.hash() == was {
		t.Error("another place has the same hash")
	}
}
