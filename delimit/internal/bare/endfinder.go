package bare

import (
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
)

// An EndFinder finds the end of bare references.
type EndFinder struct {
	Rules    schemes.Rules
	Defanged bool  // with the extra Defanged
	Nests    nests // open brackets of earlier scans
	effects  lex.Effects

	Text []byte // buffer for joined text
	Ref  []byte // buffer for Ref
}

// BodyOf returns where the body of a reference begins whose scheme ends at the colon
// b[colon]: after the colon, and after "//" if it is there. It also returns the state to
// scan from there.
func BodyOf(b []byte, colon int) (from int, w ScanState) {
	switch {
	case len(b) > colon+2 && b[colon+1] == '/' && b[colon+2] == '/':
		return colon + 3, ScanState{Component: InAuthority}
	case len(b) > colon+4 && string(b[colon+1:colon+5]) == `\/\/`:
		return colon + 5, ScanState{Component: InAuthority, JSON: true}
	}
	return colon + 1, ScanState{}
}
