package bare

import "github.com/urlsift/urlsift/delimit/internal/lex"

// maxNest is how deep brackets in a reference may nest. A deeper one ends it.
const maxNest = 16

// A ScanState is the state of EndOfBare.
type ScanState struct {
	Component Component
	JSON      bool  // an escape of JSON was found
	nest      *nest // the open brackets; set by EndOfBare
	plain     bool  // parentheses have no special meaning
	open      int32 // how many brackets like the one in front of the reference are open

	Host      HostCheck
	Refanged  bool // it counts only if it is refanged
	authority int  // end of the authority, once the scan has passed it
	Scheme    int  // where the scheme begins, if another scheme wraps the reference
}

// A Component is the part of a reference in which a scan is.
type Component uint8

const (
	InPath      Component = iota // also what follows the colon, if there is no authority
	InAuthority                  // after "//", up to '/', '?' or '#'
	inQuery
	inFragment
)

// A HostCheck says whether a scan must check for a host.
type HostCheck uint8

const (
	noHost    HostCheck = iota // no host is needed, or it has been found
	hostAhead                  // a host must be in the authority, where the scan is
	hostInCut                  // there is a host only if the reference is cut at an open brace
)

// A bracket is an open bracket of a scan.
type bracket struct {
	at        int
	open      int32 // ScanState.open directly after it
	least     int32 // the lowest ScanState.open since then, while this bracket was the innermost
	component Component
	closer    byte // the byte that closes it
}

// A nest has the open brackets of a scan, outermost first. If the scan has stopped, it
// also has the scan's state at its last byte, so that another scan can continue.
type nest struct {
	brackets [maxNest]bracket
	Depth    int
	lost     bool // no scan can continue from here

	stop      int // the byte at which the scan stopped
	open      int32
	component Component
	JSON      bool
}

// closer returns what closes the innermost bracket, or 0.
func (n *nest) closer() byte {
	if n.Depth == 0 {
		return 0
	}
	return n.brackets[n.Depth-1].closer
}

// push opens the bracket at i, which closer closes. Its results are those of step.
func (n *nest) push(closer byte, i int, p Component) (int, lex.Answer) {
	if n.Depth == maxNest {
		return 0, lex.No
	}
	n.brackets[n.Depth] = bracket{at: i, component: p, closer: closer}
	n.Depth++
	return 1, lex.Yes
}

// pop closes the innermost bracket, if closer closes it. Its results are those of step.
func (n *nest) pop(closer byte) (int, lex.Answer) {
	if n.closer() != closer {
		return 0, lex.No
	}
	if n.Depth--; n.Depth > 0 {
		b := &n.brackets[n.Depth-1]
		b.least = min(b.least, n.brackets[n.Depth].least)
	}
	return 1, lex.Yes
}

// forget sets lost if a bracket is open: the content of the bracket then depends on the text in
// front of the bracket.
func (n *nest) forget() { n.lost = n.lost || n.Depth > 0 }

// count sets w.open to open: the number of open brackets, after the byte at i, that are like the
// bracket in front of the reference.
func (w *ScanState) count(i int, open int32) {
	if n := w.nest; n.Depth > 0 {
		b := &n.brackets[n.Depth-1]
		if b.at == i {
			b.open, b.least = open, open
		}
		b.least = min(b.least, open)
	}
	w.open = open
}
