package extract

import (
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/uri"
)

// Options steer an [Extractor]. The zero Options read everything as it looks,
// take URI2002 references, resolve nothing, and run as many workers as there
// are processors. Options hold no slices; copies are free.
type Options struct {
	Grammar uri.Grammar // take what some member takes; none means URI2002

	Base   uri.Ref    // where a document names no base of its own; the zero Ref is none
	Excess uri.Excess // what resolution does with ".." that lead above the root
	Lax    bool       // resolve non-strictly: "http:g" is relative to an http base

	// Charset is the label of the charset of plain text and pages that name none,
	// as MIME has it; "" and "utf-8" mean UTF-8. A byte order mark goes before
	// it. Parts of messages that name none are UTF-8 where that is valid, and
	// else windows-1252.
	Charset string

	Format  Format          // of all sources; zero means: look inside
	Parts   Parts           // of messages that are read; none means all
	Delimit delimit.Options // what counts as a candidate; with NoLines, Line and Column of text that is read as it stands are 0

	Refused bool // also yield candidates that Grammar does not take

	// MessageIDs makes references of the identifiers in headers: "news:..." of the
	// Message-ID of an article, "mid:..." of that of other messages, "cid:..." of a
	// Content-ID (RFC 2392).
	MessageIDs bool

	Unordered bool // yield results as they come, not in source order
	Workers   int  // of a Run; 0 means one for each processor
	Limits    Limits
}

// A Format says how the text of a source is framed. Archives are entered before
// it is asked, except that Plain takes them for text as well.
type Format uint8

const (
	Auto    = Format(document.Auto)      // by its first 4 KiB
	Plain   = Format(document.PlainText) // running text, whatever it looks like
	Mbox    = Format(document.Mbox)      // a mailbox: mbox in its dialects, Babyl, MMDF
	Message = Format(document.Message)   // one message (RFC 5322)
	News    = Format(document.News)      // one article (RFC 5536)
	Rnews   = Format(document.Rnews)     // a batch of articles
	HTML    = Format(document.Page)      // tags taken out, attributes read for references
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

// Parts is a set of kinds of parts of messages.
type Parts uint8

const (
	PlainParts  = Parts(1 << document.Plain)  // text that is no HTML
	HTMLParts   = Parts(1 << document.HTML)   // HTML and XHTML
	HeaderParts = Parts(1 << document.Header) // header fields, of messages and of parts
	AllParts    = PlainParts | HTMLParts | HeaderParts
)

var partNames = [...]string{"plain", "html", "header"}

// String returns the names of the members, parted by commas; "all" for AllParts.
func (p Parts) String() string {
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

// UnmarshalText adds the parts that list names, parted by commas, to p. A name
// that is none is an error, and p stays as it was.
func (p *Parts) UnmarshalText(list []byte) error {
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

// maxLen bounds Options.Delimit.MaxLen, of which a worker's memory is eight times
// as much.
const maxLen = 4 << 20

// Limits bound what hostile input can cost. A zero field means the default.
type Limits struct {
	Depth   int   // of compressions, archives and attachments within one another; 16
	Nesting int   // of multiparts and messages within one another; 100
	Size    int64 // bytes of a stream of text or messages, itself or in an archive; no limit

	// Ratio is how many times its stored size a source may become, all that is
	// packed in it together, beyond a first GiB; 10000. That is ten times what gzip
	// can do, and stops what is packed many times over to become endless. Where several
	// workers read one mailbox, what was packed in front of the part of one is not in
	// its count.
	Ratio int

	// Window bounds the bytes that a decompressor may be told to remember, 64
	// MiB if 0: what xz -9 and zstd -20 ask for. Nothing is set aside before a
	// stream asks; then the xz library takes up to twice as much. A layer within
	// another may ask for half of what that may.
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
		return optionError("a format that there is not")
	case o.Parts&^AllParts != 0:
		return optionError("parts that there are not")
	case !isCharset(o.Charset):
		return optionError("no charset is called \"" + o.Charset + "\"")
	case o.Grammar&^uri.Every != 0:
		return optionError("a grammar that there is not")
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
	_, known := new(decode.Charsets).Decoder([]byte(label))
	return known
}

// optionError is trouble that has no place in any source.
func optionError(what string) error { return &Error{Stage: "options", Err: plainError(what)} }

// plainError is a fact without parts. The place stands in the [Error] around it.
type plainError string

func (e plainError) Error() string { return string(e) }
