package document

import "testing"

// TestTables fails if a treatment, a format or an archive has a constant but is missing in the
// tables.
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
	for kind := noArchive + 1; kind < numArchives; kind++ {
		if x := archives[kind]; x.stage == "" || x.sniff == nil || x.open == nil || x.open() == nil {
			t.Errorf("archive %d: its row in archives is not complete", kind)
		}
	}
}
