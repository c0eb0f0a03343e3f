package mail

// An endKind says why a part has ended.
type endKind uint8

const (
	endHeader  endKind = iota // the header has ended; the body begins gap bytes after ok
	endPart                   // at a boundary line of the open entity hit
	endMessage                // at a separator, or the end of the stream
)

// An ending is the end of a part.
type ending struct {
	why     endKind
	gap     int  // for endHeader: bytes between header and body
	hit     int  // for endPart: index of the open entity
	hitLen  int  // the length of the boundary line
	closing bool // it closes the open entity
}

// An endFinder finds how far the current part reaches. Its steps move input.ok.
type endFinder struct {
	in      *input
	nest    *nesting
	fields  *fields
	mbox    *mbox
	current *currentEntity
	values  *valueParser
	partial *partial

	done bool // the part has ended, except for buf[lo:ok]
	end  ending

	header      bool // the part is a header: see stepHeader
	overlong    bool // the header is longer than lookAhead examines
	hasNotField bool // a line that is not a field was reported

	care uint8   // of a body: classes of first bytes that must be examined
	hold bool    // see stepText
	data special // uuBegin or yBegin while inside such data
}

// beginHeader makes the header at ok the current part.
func (f *endFinder) beginHeader() {
	f.done, f.header, f.hold, f.data, f.overlong, f.hasNotField = false, true, false, ordinary, false, false
}

// beginBody makes the text at ok the current part. data says whether it may contain
// uuencoded and yEnc data.
func (f *endFinder) beginBody(framing Framing, data bool) {
	f.done, f.header, f.data = false, false, ordinary
	f.care = 0
	switch framing { // Single has no separators
	case Rnews:
		f.care = rnewsClass
	case Mbox:
		f.care = fromClass
	case Babyl:
		f.care = babylClass
	case MMDF:
		f.care = mmdfClass
	case Emlx:
		f.care = plistClass
	}
	if f.nest.open > 0 {
		f.care |= dashClass
	}
	if data {
		f.care |= dataClass
	}
}

func (f *endFinder) finish(why endKind) { f.done, f.end.why = true, why }

// Classes of first bytes of lines that may be something other than text.
const (
	dashClass  = 1 << iota // boundary lines
	fromClass              // From_ lines and quoted ones
	rnewsClass             // "#! rnews "
	babylClass             // ^_
	mmdfClass              // ^A^A^A^A
	plistClass             // the property list of an emlx file
	dataClass              // the beginning of uuencoded or yEnc data
)
