package document

import (
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// An account counts the bytes of a raw stream by what was done with them. Each byte is
// counted once, in one class of the ledger. Bytes are counted in stretches, after they
// were read, and never one by one or by line. Bytes that are finished and in no other
// class are framing.
type account struct {
	texts int   // number of texts that were yielded
	from  int64 // raw offset from which the text is counted

	done, classed int64 // bytes that the reader has finished, and bytes that were counted in a class

	read, rest ledger.Count // classes of the bytes of the part or member that are read, and of those that are not
	hasClasses bool         // read and rest are set

	seenRead, seenPassed, seenData int64 // counts of the reader when they were last examined
}

// countAs adds n bytes to a class.
func (a *account) countAs(l *ledger.Ledger, c ledger.Count, n int64) {
	if n > 0 {
		l.Add(c, n)
		a.classed += n
	}
}

// A leftover is the rest of a member that is not read any further.
type leftover struct {
	class    ledger.Count // RawData, or RawOverLimit, or RawDamaged
	buffered int64        // bytes of the rest that were read into buffers
	all      bool         // the whole member is left: only its format was recognised
}

// before returns the class of the bytes of a member in front of the leftover.
func (left *leftover) before() ledger.Count {
	if left.all {
		return left.class
	}
	return ledger.RawNested
}
