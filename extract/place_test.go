package extract

import (
	"reflect"
	"testing"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
)

// unhashed are the Options that may differ between two runs with --state. They change neither
// which references are found nor their positions. Each has a reason.
var unhashed = map[string]string{
	"Excess":    "affects only the target",
	"Lax":       "affects only the target",
	"Normalize": "affects only the spelling: see Result.hash",
	"Unwrap":    "affects only the target",
	"Subjects":  "affects other fields",
	"LogTimes":  "affects other fields",
	"Resume":    "has the hashes",
	"Unordered": "affects only the order",
	"Workers":   "affects only the order",
	"Article":   "the Extractor sets it for each text",
	"NoLines":   "affects only numbers",
	"Known":     "a function",
	"Depth":     "a limit: what is over it is an error, which is reported once",
	"Nesting":   "a limit",
	"Size":      "a limit",
	"Ratio":     "a limit",
	"Joined":    "affects only the target",
	"Window":    "a limit",
}

// TestOptionsHashed checks that each field of Options is in one of the two hashes of a Place, or in
// unhashed. Otherwise a run that continues with other options would miss references that only
// these find.
func TestOptionsHashed(t *testing.T) {
	for _, field := range leaves(reflect.TypeFor[Options](), nil) {
		var o Options
		found, read := o.hashes()
		change(reflect.ValueOf(&o).Elem().FieldByIndex(field.Index))
		changedFound, changedRead := o.hashes()
		hashed := found != changedFound || read != changedRead
		if _, listed := unhashed[field.Name]; listed == hashed {
			t.Errorf("Options.%s is in a hash: %v, is in unhashed: %v; exactly one of them must be true", field.Name, hashed, listed)
		}
	}
}

// TestResultHash checks that the hash of a result does not depend on options that are in no hash of
// a Place, so that a run with other options recognises the result.
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
