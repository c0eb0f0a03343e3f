package compress

import (
	"github.com/urlsift/urlsift/extract/internal/compress/bzip2"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// Limits bound what a hostile stream can cost; see extract.Limits.
type Limits struct {
	Depth  int   // largest depth of nested compressions, archives and attachments
	Window int64 // largest window of the outermost layer, in bytes
	Ratio  int   // largest ratio of decompressed to stored size
}

// Hooks are the functions with which a Pool calls the worker that uses it. All must be
// set, unless nil is allowed.
type Hooks struct {
	// BeforeBlock is called before each Read of the source, which may block. If it
	// returns false, reading ends. AfterBlock is called after the Read.
	BeforeBlock func() bool
	AfterBlock  func()

	// Stopped reports whether reading should stop. Only the worker calls it. Interrupted
	// reports the same to any goroutine.
	Stopped     func() bool
	Interrupted func() bool

	// Assist lets another worker run fill, and reports whether one is free. It is nil if
	// there are no other workers.
	Assist func(fill func()) bool

	// InFront waits until it is known how much text comes before this segment of a file. It
	// returns the shift of the segment's offsets, the Checksum of the blocks in front of it, and
	// whether to continue. It is called once when the text comes near Limits.Ratio, and at the
	// end of a stream of bzip2 that began in front of the segment.
	InFront func() (shift int64, sum Checksum, ok bool)

	// FirstText is called at s, the first block of bzip2 after the split point split. If another
	// worker has started at this block, FirstText returns the beginning of the block's text,
	// otherwise nil. FirstText itself may be nil.
	FirstText func(split int64, s MemberStart) []byte

	// InConsumer reports whether code of the consumer is running in this goroutine, or has panicked
	// in it: BeforeBlock may run such code. A panic of the consumer is not caught.
	InConsumer func() bool
}

// A MemberStart is the first member that begins after a split point, or after several.
type MemberStart struct {
	From int64 // offset in the source: where the member before it begins, or the last split point that is done
	At   int64 // offset in the source where the member begins
	Text int64 // offset in the text where the member begins

	BlockLevel int      // bzip2: the level of the block's stream, or 0 if At is where the stream begins
	Sum        Checksum // bzip2: of the blocks of the stream in front of this one
}

// A Checksum is the combined checksum of blocks of bzip2.
type Checksum = bzip2.Checksum

// A caller is the worker that uses a Pool, and what it has given to the Pool.
type caller struct {
	limits Limits
	hooks  Hooks
	ledger *ledger.Ledger
}
