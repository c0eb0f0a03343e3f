package extract

import (
	"errors"
	"io/fs"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// An Error describes what is wrong with one stretch of one source, or with Options. What
// is in front of the stretch was yielded. Reading continues after it, and with other
// sources.
type Error struct {
	Origin   Origin // the position that reading had reached; Length is 0
	Severity Severity
	Stage    string // the step that failed: StageOpen, or the name of a format: "gzip", "tar", "mime", "utf-16le", ...
	Err      error  // the cause, from the package that found it

	// If the stretch is over a limit, Limit is the name of the field of [Limits]: "Depth",
	// "Nesting", "Size", "Ratio", "Joined" or "Window"; and Value is the limit. For Window, Value is the
	// limit of the compression that exceeded it. If the stretch is damaged, Limit is "".
	Limit string
	Value int64
}

// Stages of an [Error] that belong to no format. The others are the names of what was
// decoded: a compression, an archive, a charset, an encoding, "mime", "html" and so on.
const (
	StageOptions = "options" // no source: Options are not valid
	StageWalk    = "walk"    // a folder, or a file in it, cannot be listed
	StageOpen    = "open"    // the source cannot be opened
	StageRead    = "read"    // Read of the source has failed
	StageRange   = "range"   // the part of the source that [Range] describes cannot be read
	StageClose   = "close"   // Close of the source has panicked; an error that it returns is ignored
)

// A Severity says whether anything was lost.
type Severity uint8

const (
	Lost    Severity = iota // input was lost, or not read
	Warning                 // nothing was lost: the input breaks the rules but was read, or is passed over by design (PDF, office documents)
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// errorOf returns d as an Error at o.
func errorOf(o Origin, d *damage.Damage) *Error {
	return &Error{Origin: o, Severity: Severity(d.Severity), Stage: string(d.Stage), Err: d.Err, Limit: d.Limit, Value: d.Value}
}

// IsWarning reports whether err is an [*Error] of which nothing was lost. Such errors are among those that
// [Extractor.Run], Read and Encode yield.
func IsWarning(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Severity == Warning
}

// Error returns a message like
//
//	spool/a.gz:88:17: gzip: unexpected EOF
//
// For an error of the file system it gives only the cause, because the position has the name of
// the file.
func (e *Error) Error() string {
	cause := e.Err
	var p *fs.PathError
	if errors.As(cause, &p) {
		cause = p.Err
	}
	s := e.Stage + ": " + cause.Error()
	if place := e.Origin.String(); place != "" {
		return place + ": " + s
	}
	return s
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }
