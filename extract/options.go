package extract

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
)

// Options steer an [Extractor]. The zero Options read everything as plain text,
// take URI2002 references, resolve nothing, and run as many workers as there
// are processors. Options hold no slices; copies are free.
type Options struct {
	Grammar uri.Grammar // take what some member takes; none means URI2002

	Base   uri.Ref    // where a document names no base of its own; the zero Ref is none
	Excess uri.Excess // what resolution does with ".." that lead above the root
	Lax    bool       // resolve non-strictly: "http:g" is relative to an http base

	// Charset is that of text which names none. Only "" and "utf-8" are in
	// this version; a byte order mark goes before it in any case.
	Charset string

	Format  Format          // of all sources; zero means: look inside
	Delimit delimit.Options // what counts as a candidate

	Refused   bool // also yield candidates that Grammar does not take
	Unordered bool // yield results as they come, not in source order
	Workers   int  // of a Run; 0 means one for each processor
	Limits    Limits
}

// A Format says how the text of a source is framed.
type Format uint8

const (
	Auto    Format = iota // look inside; in this version the same as Plain
	Plain                 // running text, whatever it looks like
	Mbox                  // a mailbox; not in this version
	Message               // one RFC 5322 message; not in this version
	News                  // one article; not in this version
	Rnews                 // a batch of articles; not in this version
	HTML                  // tags taken out, attributes read for references
)

var formatNames = [...]string{"auto", "plain", "mbox", "message", "news", "rnews", "html"}

// String returns the name of f in lower case.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return ""
}

// UnmarshalText is the inverse of String. A name that is none is an error, and
// f stays as it was.
func (f *Format) UnmarshalText(name []byte) error {
	for i, n := range formatNames {
		if n == string(name) {
			*f = Format(i)
			return nil
		}
	}
	return optionError("no format is called \"" + string(name) + "\" (there are " + strings.Join(formatNames[:], ", ") + ")")
}

// framed reports whether this version knows how to read f.
func (f Format) framed() bool { return f == Auto || f == Plain || f == HTML }

// maxLen bounds Options.Delimit.MaxLen, of which a worker's memory is eight times
// as much.
const maxLen = 4 << 20

// Limits bound what hostile input can cost. A zero field means the default.
type Limits struct {
	Depth int   // of compressions and containers within one another; 16
	Size  int64 // bytes of one decompressed stream; no limit

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
	if o.Limits.Window == 0 {
		o.Limits.Window = 64 << 20
	}
	return o
}

// check returns what is wrong with o.
func (o *Options) check() error {
	switch l := o.Limits; {
	case !o.Format.framed():
		return optionError(o.Format.String() + " framing is not in this version")
	case o.Charset != "" && !strings.EqualFold(o.Charset, "utf-8"):
		return optionError("charset " + o.Charset + " is not in this version, utf-8 is")
	case o.Grammar&^uri.Every != 0:
		return optionError("a grammar that there is not")
	case o.Workers < 0:
		return optionError("a negative number of workers")
	case o.Delimit.MaxLen < 0 || o.Delimit.MaxBreaks < 0:
		return optionError("a negative limit of a reference")
	case o.Delimit.MaxLen > maxLen:
		return optionError("references of " + strconv.Itoa(o.Delimit.MaxLen) + " bytes; at most " + strconv.Itoa(maxLen) + " can be asked for")
	case l.Depth < 0 || l.Size < 0 || l.Window < 0:
		return optionError("a negative limit")
	case o.Base != (uri.Ref{}) && !o.Base.IsAbs():
		return optionError("base " + o.Base.String() + " has no scheme")
	}
	return nil
}

// optionError is trouble that has no place in any source.
func optionError(what string) error { return &Error{Stage: "options", Err: plainError(what)} }

// plainError is a fact without parts. The place stands in the [Error] around it.
type plainError string

func (e plainError) Error() string { return string(e) }
