package document

import (
	"testing"

	"github.com/urlsift/urlsift/extract/internal/compress"
)

// TestTables fails if a treatment, a format or a data format is missing in the tables or has half a
// row.
func TestTables(t *testing.T) {
	// These treatments have no decoder for text.
	noText := map[treatment]bool{asRecognised: true, asMessage: true, asSigned: true, unread: true, asPDF: true, asOffice: true}
	for do := range treatments {
		switch x := syntaxes[do]; {
		case (x == nil) != noText[do]:
			t.Errorf("treatment %d: text is read by a row in syntaxes, and everything else has none", do)
		case x != nil && x.values && x.decoder == nil:
			t.Errorf("treatment %d: its text has Values, and no decoder finds them", do)
		}
	}
	// These are chosen by mailbox.decode, treat and sniffPage, or are what is left.
	used := map[treatment]bool{asText: true, asFlowed: true, asHeader: true, asHTTP: true, asXML: true}
	for _, r := range rules {
		used[r.treatment] = true
		if r.treatment >= treatments || r.begin == "" && r.end == "" {
			t.Errorf("rule %+v has no treatment, or neither the beginning nor the end of a type", r)
		}
	}
	names := make(map[string]bool)
	for f := range Formats {
		x := formats[f]
		if x.name == "" || names[x.name] {
			t.Errorf("format %d is called %q: give its row in formats a name of its own", f, x.name)
		}
		names[x.name], used[x.treatment] = true, true
		if syntaxes[x.treatment] == nil {
			t.Errorf("format %s has no syntax", x.name)
		}
		if got, known := ParseFormat(x.name); !known || got != f {
			t.Errorf("%q is format %d, %v, want %d", x.name, got, known, f)
		}
	}
	for do := range treatments {
		if syntaxes[do] != nil && !used[do] {
			t.Errorf("treatment %d: nothing is read so; add its media types to rules, or a Format to formats", do)
		}
	}
	for _, f := range dataFormats {
		switch {
		case f.name == "" || f.heads == nil && f.sniff == nil:
			t.Errorf("data format %q: its row needs a name, and heads or sniff", f.name)
		case (f.open == nil || f.needsFile) == (f.why == ""):
			t.Errorf("%s: its row says either how it is opened or why it is not read", f.name)
		case f.open != nil && f.open() == nil:
			t.Errorf("%s: open makes nothing", f.name)
		}
		if f.needsFile {
			if _, is := f.open().(directoryReader); !is {
				t.Errorf("%s: its reader is no directoryReader", f.name)
			}
		}
		for _, head := range f.heads {
			if is, _ := compress.Match([]byte(head), true); is != compress.None {
				t.Errorf("%s: %q is read as %v: remove it here", f.name, head, is)
			}
		}
	}
}
