package extract

import (
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/uri"
)

// Options say what an [Extractor] reads and finds. The zero Options read every source by
// what its first bytes look like, accept URI2002 references, resolve nothing, and run as
// many workers as there are processors. Options hold no slices, so they can be copied.
type Options struct {
	Grammar uri.Grammar // accept what one of these grammars accepts; 0 means URI2002

	Base   uri.Ref    // the base of documents that name none themselves; the zero Ref is none
	Excess uri.Excess // what resolution does with a ".." that leads above the root
	Lax    bool       // resolve non-strictly: "http:g" is relative to an http base

	// Charset is the MIME label of the charset of plain text and pages that name
	// none; "" and "utf-8" mean UTF-8. A byte order mark overrides it. Parts of
	// messages that name none are read as UTF-8 where that is valid, and else as
	// windows-1252.
	Charset string

	Format  Format          // of all sources; 0 means that it is recognised
	Parts   PartKinds       // of messages that are read; none means all
	Delimit delimit.Options // what counts as a candidate; with NoLines, Line and Column are 0 in text that needs no decoding

	Refused bool // also yield candidates that Grammar does not accept

	// MessageIDs also yields the identifiers in headers as references: "news:..." of the
	// Message-ID of an article, "mid:..." of that of other messages, "cid:..." of a
	// Content-ID (RFC 2392).
	MessageIDs bool

	Subjects bool // set Origin.Subject and Origin.From, which takes time for each message

	Unordered bool // yield Results as they come, not in the order of sources
	Workers   int  // of a Run; 0 means one for each processor (GOMAXPROCS)
	Limits    Limits
}

// A Format says how the text of a source is framed. Archives are entered whatever the
// Format, except that Plain reads them as text too.
type Format uint8

const (
	Auto    = Format(document.Auto)      // by its first 4 KiB
	Plain   = Format(document.PlainText) // running text, whatever it looks like
	Mbox    = Format(document.Mbox)      // a mailbox: mbox in its dialects, Babyl, MMDF
	Message = Format(document.Message)   // one message (RFC 5322)
	News    = Format(document.News)      // one article (RFC 5536)
	Rnews   = Format(document.Rnews)     // a batch of articles
	HTML    = Format(document.Page)      // tags taken out, attributes read for references
	Table   = Format(document.Table)     // comma-separated values and their kin: each cell is read by itself
	Roff    = Format(document.Roff)      // manual pages: escapes undone, arguments of macros read for references
	TeX     = Format(document.TeX)       // TeX and BibTeX: escapes undone, arguments and fields read for references
)

// String returns the name of f in lower case, "" for one that does not exist.
func (f Format) String() string { return document.Format(f).String() }

// UnmarshalText is the inverse of String. If name is none, it returns an error and leaves
// f as it was.
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
	PlainParts  = PartKinds(1 << document.Plain)  // text that is no HTML
	HTMLParts   = PartKinds(1 << document.HTML)   // HTML and XHTML
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

// UnmarshalText adds the kinds that list names, separated by commas, to p. If one does not
// exist, it returns an error and leaves p as it was.
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

// Limits bound what hostile input can cost. A zero field means the default.
type Limits struct {
	Depth   int   // of compressions, archives and attachments within one another; 16
	Nesting int   // of multiparts and messages within one another; 100
	Size    int64 // bytes of a stream of text or messages, itself or in an archive; no limit

	// Ratio is how many times its stored size a source may become, with all that is
	// packed in it, beyond a first GiB; 10000. That is ten times what gzip can do, and
	// stops what is compressed many times over. Where several workers read one mailbox,
	// compressed attachments in front of the part of one worker are not in its count.
	Ratio int

	// Window is how many bytes a decompressor may have to remember; 64 MiB, which is
	// what xz -9 and zstd -20 ask for. Nothing is allocated before a stream asks. A
	// compression within another one may ask for half of what the outer one may.
	Window int64
}

// withDefaults is the one place where defaults are filled in.
func (o Options) withDefaults() Options {
	if o.Grammar == 0 {
		o.Grammar = uri.URI2002
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Delimit.MaxLen == 0 {
		o.Delimit.MaxLen = 8192 // as delimit has it; said here for the buffers made by it
	}
	if o.Limits.Depth == 0 {
		o.Limits.Depth = 16
	}
	if o.Limits.Nesting == 0 {
		o.Limits.Nesting = 100
	}
	if o.Limits.Ratio == 0 {
		o.Limits.Ratio = 10000
	}
	if o.Limits.Window == 0 {
		o.Limits.Window = 64 << 20
	}
	return o
}

// check returns what is wrong with o.
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
	case l.Depth < 0 || l.Nesting < 0 || l.Size < 0 || l.Ratio < 0 || l.Window < 0:
		return optionError("a negative limit")
	case o.Base != (uri.Ref{}) && !o.Base.IsAbs():
		return optionError("base " + o.Base.String() + " has no scheme")
	}
	return nil
}

// isCharset reports whether label is empty or names a charset.
func isCharset(label string) bool {
	_, known := new(charset.Decoders).Decoder([]byte(label))
	return known
}

// optionError returns an Error that has no place in any source.
func optionError(what string) error { return &Error{Stage: "options", Err: plainError(what)} }

// A plainError is an error without parts. The [Error] around it has the place.
type plainError string

func (e plainError) Error() string { return string(e) }
