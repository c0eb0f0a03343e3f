package extract

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/uri"
)

// Options configure an [Extractor]. The zero Options recognise the format of every source
// by its first bytes, accept references by uri.Default, resolve nothing, and use as many workers
// as there are processors. Options hold no slices, so they can be copied. The options are one
// level of independent fields, which a caller sets by name; those that belong together are
// structs of their own (Delimit, Limits).
type Options struct {
	Grammar uri.Grammar // yield references that this grammar accepts; 0 means uri.Default

	Base   uri.Ref    // the base of documents that declare none; the zero Ref means no base
	Excess uri.Excess // how resolution treats a ".." that leads above the root
	Lax    bool       // resolve non-strictly: "http:g" is relative to an http base; only by the grammars of uri.Rules.Lax

	// Charset is the MIME name of the charset of plain text and pages that declare none; "" and
	// "utf-8" mean UTF-8. A byte order mark overrides it. Charset does not apply to parts of
	// messages: those without a charset are read as UTF-8 if they are valid UTF-8, otherwise as
	// windows-1252.
	Charset string

	Format  Format          // of all sources; 0 means that it is recognised
	Parts   PartKinds       // which parts of messages are read; 0 means all
	Delimit delimit.Options // what is a candidate; with NoLines, Line and Column are 0 in text that needs no decoding

	// Normalize puts URL and Target into the normal form of Grammar: see [uri.AppendNormal].
	Normalize bool

	// Unwrap makes the Target of a reference that a rewriting service has made the reference inside it:
	// see package uri/unwrap. Base is "" then.
	Unwrap bool

	Refused bool // also yield candidates that Grammar does not accept

	// MessageIDs also yields the identifiers in headers as references: "news:..." for the
	// Message-ID of an article, "mid:..." for that of any other message, "cid:..." for a
	// Content-ID (RFC 2392).
	MessageIDs bool

	// Identifiers also reads the identifiers of markup as text: the names of namespaces in HTML and
	// XML (xmlns), and the text of a document type. They identify a language, and are not links.
	Identifiers bool

	// Subjects sets Subject, From, FromAddress and To of Origin, which takes time for each message.
	Subjects bool

	// LogTimes sets the time that [Origin.Time] returns for references in plain text outside of
	// messages. It is the first time stamp between the beginning of the line and the reference.
	// Time stamps may be in the forms of ISO 8601, of web servers, or of syslog.
	LogTimes bool

	// If Resume is not nil, files are read from where an earlier run has stopped.
	Resume *Resume

	Unordered bool // yield Results as they come, not in the order of sources
	Workers   int  // of Run and Encode; 0 means one for each processor (GOMAXPROCS)
	Limits    Limits
}

// A Format says how a source is read. Archives are opened with every Format except Plain,
// which reads them as text too.
type Format uint8

const (
	Auto    = Format(document.Auto)      // by its first 4 KiB and, where these leave it open which kind of text it is, the suffix of its name
	Plain   = Format(document.PlainText) // running text, whatever it looks like
	Mbox    = Format(document.Mbox)      // a mailbox: mbox in its dialects, Babyl, MMDF
	Message = Format(document.Message)   // one message (RFC 5322)
	News    = Format(document.News)      // one article (RFC 5536)
	Rnews   = Format(document.Rnews)     // a batch of articles
	HTML    = Format(document.Page)      // tags removed, attributes read for references
	Table   = Format(document.Table)     // comma-separated values and similar: each cell is read separately
	Roff    = Format(document.Roff)      // manual pages: escapes decoded, arguments of macros read for references
	TeX     = Format(document.TeX)       // TeX and BibTeX: escapes decoded, arguments and fields read for references

	Markdown = Format(document.Markdown) // CommonMark: targets of links, images and definitions are read for references, code is text
	Calendar = Format(document.Calendar) // iCalendar and vCard: folded lines joined, escapes undone
	WARC     = Format(document.WARC)     // a web archive: WARC or ARC
)

// String returns the name of f in lower case, "" if f is not one of the constants.
func (f Format) String() string { return document.Format(f).String() }

// UnmarshalText is the inverse of String. If there is no such format, it returns an error
// and does not change f.
func (f *Format) UnmarshalText(name []byte) error {
	known, ok := document.ParseFormat(string(name))
	if !ok {
		return optionError("no format is called \"" + string(name) + "\" (there are " + document.FormatNames() + ")")
	}
	*f = Format(known)
	return nil
}

// PartKinds is a set of kinds of parts of messages.
type PartKinds uint8

const (
	PlainParts  = PartKinds(1 << document.Plain)  // text that is not HTML
	HTMLParts   = PartKinds(1 << document.HTML)   // HTML, XHTML and Markdown
	HeaderParts = PartKinds(1 << document.Header) // header fields, of messages and of parts
	AllParts    = PlainParts | HTMLParts | HeaderParts
)

var partNames = [...]string{"plain", "html", "header"}

// String returns the names of the kinds, separated by commas; "all" for AllParts.
func (p PartKinds) String() string {
	if p == AllParts {
		return "all"
	}
	var names []string
	for i, n := range partNames {
		if p&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, ",")
}

// UnmarshalText adds the kinds whose names list has, separated by commas, to p. If there
// is no such kind, it returns an error and does not change p.
func (p *PartKinds) UnmarshalText(list []byte) error {
	add := *p
	for name := range strings.SplitSeq(string(list), ",") {
		i := slices.Index(partNames[:], name)
		switch {
		case i >= 0:
			add |= 1 << i
		case name == "all":
			add = AllParts
		default:
			return optionError("no part is called \"" + name + "\" (there are plain, html, header, all)")
		}
	}
	*p = add
	return nil
}

// maxLen bounds Options.Delimit.MaxLen in bytes: a worker takes eight times as much memory.
const maxLen = 4 << 20

// The defaults of Options.Delimit.MaxLen and of Limits. Package delimit has the same default for
// MaxLen; it is repeated here, because buffers depend on it.
const (
	defaultMaxLen  = 8 << 10
	defaultDepth   = 16
	defaultNesting = 100
	defaultRatio   = 10_000
	defaultJoined  = 64
	defaultWindow  = 128 << 20
)

// Limits bound the cost of hostile input. A zero field means the default.
type Limits struct {
	Depth   int   // of nested compressions, archives and attachments; default 16
	Nesting int   // of nested multiparts and messages; default 100
	Size    int64 // bytes of one stream of text or messages, also in an archive; default no limit

	// Ratio bounds the decompressed size of a source, including everything nested in it:
	// this many times its stored size, or 1 GiB if that is more. The default is 10000.
	// That is ten times what gzip reaches, and stops data that is compressed several
	// times. If several workers read one mailbox, each counts compressed attachments only
	// in its own part.
	Ratio int

	// Joined bounds what a base in the input (see [BaseSource]) adds to the references that are resolved
	// against it: the length of each Base, and by how much each Target is longer than its URL. The
	// sum may have this many times the bytes between the references, and 64 KiB. The default is 64; pages
	// rarely come to 10. It is counted for each message of a mailbox, and otherwise for the whole source.
	// The references that follow have no Target, and their Err is an [*Error].
	Joined int

	// Window bounds the window that a stream may declare, in bytes. The default is
	// 128 MiB, as in zstd -d: all that zstd writes without --long=28 or more. xz -9 uses 64 MiB.
	// Memory is allocated only when a stream declares it. A compression within two others may
	// declare half of the limit of the outer one.
	Window int64
}

// withDefaults is the only place where defaults are filled in.
func (o Options) withDefaults() Options {
	if o.Grammar == 0 {
		o.Grammar = uri.Default
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Delimit.MaxLen == 0 {
		o.Delimit.MaxLen = defaultMaxLen
	}
	if o.Limits.Depth == 0 {
		o.Limits.Depth = defaultDepth
	}
	if o.Limits.Nesting == 0 {
		o.Limits.Nesting = defaultNesting
	}
	if o.Limits.Ratio == 0 {
		o.Limits.Ratio = defaultRatio
	}
	if o.Limits.Joined == 0 {
		o.Limits.Joined = defaultJoined
	}
	if o.Limits.Window == 0 {
		o.Limits.Window = defaultWindow
	}
	return o
}

// check returns an error for options that are wrong.
func (o *Options) check() error {
	switch l := o.Limits; {
	case o.Format >= Format(document.Formats):
		return optionError("no such format")
	case o.Parts&^AllParts != 0:
		return optionError("no such kind of part")
	case !isCharset(o.Charset):
		return optionError("no charset is called \"" + o.Charset + "\"")
	case o.Grammar&^uri.Every != 0:
		return optionError("no such grammar")
	case o.Workers < 0:
		return optionError("a negative number of workers")
	case o.Delimit.MaxLen < 0 || o.Delimit.MaxBreaks < 0:
		return optionError("a negative limit of a reference")
	case o.Delimit.MaxLen > maxLen:
		return optionError("references of " + strconv.Itoa(o.Delimit.MaxLen) + " bytes; at most " + strconv.Itoa(maxLen) + " can be asked for")
	case l.Depth < 0 || l.Nesting < 0 || l.Size < 0 || l.Ratio < 0 || l.Joined < 0 || l.Window < 0:
		return optionError("a negative limit")
	case o.Lax && o.Grammar.Newest().Rules().Lax == 0:
		return optionError("lax resolution: " + o.Grammar.Newest().String() + " does not define it (" + strings.ReplaceAll(uri.Every.Rules().Lax.String(), "+", " and ") + " do)")
	case o.Base != (uri.Ref{}) && !o.Base.IsAbs():
		return optionError("base " + o.Base.String() + " has no scheme")
	}
	return nil
}

// isCharset reports whether label is empty or the name of a charset.
func isCharset(label string) bool {
	_, known := new(charset.Decoders).Decoder([]byte(label))
	return known
}

// optionError returns an Error without a position.
func optionError(what string) error { return &Error{Stage: StageOptions, Err: plainError(what)} }

// ReadHash returns a hash of the options that decide how a file is read: Format and Charset. A
// program that keeps Places keeps this hash too. If the hash of a later run differs, files are
// read from their beginnings, even if they have not changed.
func (o *Options) ReadHash() uint64 {
	return xxhash.Sum64String(fmt.Sprint(o.Format, "\x00", o.Charset))
}

// hashes returns the hashes of the options that decide what is found, and of those that
// decide how a file is read.
func (o *Options) hashes() (found, read uint64) {
	found = xxhash.Sum64String(fmt.Sprintf("%v\x00%v\x00%+v\x00%v %v %v\x00%+v", uint(o.Grammar), uint(o.Parts), o.Delimit.Extras,
		o.Refused, o.MessageIDs, [...]bool{o.Identifiers, o.Delimit.Malformed}, [...]int{o.Delimit.MaxLen, o.Delimit.MaxBreaks}))
	return found, o.ReadHash()
}
