// Package check finds what is wrong with references, for continuous integration: those that the grammar
// refuses, hosts and ports that cannot exist, texts that are meant as URLs and are none, and links to
// files that do not exist.
//
//	c := check.New(o.Check, redact)
//	line = c.Append(line[:0], result) // nothing if result is clean
//
// What may be wrong is a table (rules.go).
package check

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/names"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
	"github.com/urlsift/urlsift/uri"
)

// Options say what is checked, and how findings are printed.
type Options struct {
	Format Format
	Files  Files
}

// A Format is a format for findings.
type Format uint8

const (
	Text   Format = iota // FILE:LINE:COLUMN: what: URL
	JSONL                // an object on each line
	GitHub               // workflow commands of GitHub, which annotate files
)

// Formats are the names of the Formats, as the constants are listed.
var Formats = []string{"text", "jsonl", "github"}

// UnmarshalText sets f to the format with that name.
func (f *Format) UnmarshalText(name []byte) error { return names.Parse(f, "format", name, Formats) }

// Files says whether links to files are checked.
type Files struct {
	on   bool
	root string // of paths that begin with '/'; "" leaves these alone
}

// UnmarshalText sets the root. "true" is the flag without one.
func (f *Files) UnmarshalText(root []byte) error {
	switch text := string(root); text {
	case "true", "false":
		*f = Files{on: text == "true"}
	default:
		info, err := os.Stat(text)
		if err != nil {
			return err.(*fs.PathError).Err
		}
		if !info.IsDir() {
			return fs.ErrInvalid
		}
		*f = Files{on: true, root: text}
	}
	return nil
}

// A Checker checks results one after another.
type Checker struct {
	o         Options
	passwords output.Passwords
	exists    map[string]bool // of the last links
	piece     []byte
}

// New returns a Checker. With redact, its findings have no passwords.
func New(o Options, redact bool) *Checker {
	return &Checker{o: o, passwords: output.Passwords{On: redact}, exists: make(map[string]bool)}
}

// Append appends what is wrong with r, as a line; or nothing.
func (c *Checker) Append(dst []byte, r *extract.Result) []byte {
	rule, what := Wrong(r)
	if rule == "" && c.o.Files.on {
		if what = c.link(r); what != "" {
			rule = "file"
		}
	}
	if rule == "" {
		return dst
	}
	o := &r.Origin
	name := c.passwords.Text(o.Source)
	if o.Member != "" {
		name += "!" + c.passwords.Text(o.Member)
	}
	text := c.text(r)
	switch c.o.Format {
	case JSONL:
		dst = record.AppendString(append(dst, `{"source":`...), name)
		dst = strconv.AppendInt(append(dst, `,"line":`...), o.Line, 10)
		dst = strconv.AppendInt(append(dst, `,"column":`...), o.Column, 10)
		dst = strconv.AppendInt(append(dst, `,"offset":`...), o.Offset, 10)
		dst = record.AppendString(append(dst, `,"rule":`...), rule)
		dst = record.AppendString(append(dst, `,"error":`...), what)
		dst = record.AppendString(append(dst, `,"text":`...), text)
		return append(dst, '}', '\n')
	case GitHub:
		place := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(name)
		dst = append(append(dst, "::error file="...), place...)
		dst = strconv.AppendInt(append(dst, ",line="...), o.Line, 10)
		dst = strconv.AppendInt(append(dst, ",col="...), o.Column, 10)
		dst = append(append(dst, "::"...), strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(what+": "+text)...)
		return append(dst, '\n')
	}
	dst = append(record.AppendVisible(dst, name), ':')
	dst = append(strconv.AppendInt(dst, o.Line, 10), ':')
	dst = append(strconv.AppendInt(dst, o.Column, 10), ": "...)
	dst = append(append(dst, what...), ": "...)
	return append(record.AppendVisible(dst, text), '\n')
}

// text returns the text of r, without its password if that is requested.
func (c *Checker) text(r *extract.Result) string {
	if !c.passwords.On {
		return string(r.Candidate.Text)
	}
	c.piece = c.passwords.AppendVariant(c.piece[:0], r.Candidate.Text, r.URL)
	return string(c.piece)
}

// link returns what is wrong with r as a link to a file: a relative reference of a page or of Markdown
// outside of archives and mail. Query and fragment are left out, and escapes decoded.
func (c *Checker) link(r *extract.Result) string {
	o := &r.Origin
	p := r.Parts
	_, _, absolute := p.Span(uri.Scheme)
	_, _, hosted := p.Span(uri.Authority)
	lo, hi, _ := p.Span(uri.Path)
	if absolute || hosted || lo == hi || r.Candidate.Form != delimit.Attribute || o.Member != "" || o.Message != 0 || r.Target != nil || isPlaceholder(r.Candidate.Text) {
		return ""
	}
	path := string(uri.AppendUnescaped(nil, r.URL[lo:hi]))
	full := ""
	switch {
	case strings.IndexByte(path, 0) >= 0:
		return "no file has NUL in its name"
	case path[0] != '/':
		full = filepath.Join(filepath.Dir(o.Source), filepath.FromSlash(path))
	case c.o.Files.root == "":
		return ""
	default:
		full = filepath.Join(c.o.Files.root, filepath.FromSlash(path))
	}
	if root := c.o.Files.root; root != "" {
		if inside, err := filepath.Rel(root, full); err == nil && (inside == ".." || strings.HasPrefix(inside, ".."+string(filepath.Separator))) {
			return "the link leaves " + root
		}
	}
	there, known := c.exists[full]
	if !known {
		info, err := os.Stat(full)
		there = err == nil && (info.IsDir() || path[len(path)-1] != '/')
		if len(c.exists) >= mostLinks {
			clear(c.exists)
		}
		c.exists[full] = there
	}
	if !there {
		return "there is no file " + filepath.ToSlash(full)
	}
	return ""
}

// mostLinks is how many files a Checker remembers.
const mostLinks = 1 << 14
