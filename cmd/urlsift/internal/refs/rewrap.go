package refs

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/process"
	"github.com/urlsift/urlsift/delimit"
)

// rewrap copies standard input to standard output, byte for byte, except for references that are
// longer than a line or on several lines. These are written as package delimit writes them, so that a
// scanner finds the same references in the copy.
//
// Text that can be read in two ways (spaces in brackets, labels, quotation marks) is not changed.
// Nothing is decoded, so the input must be plain text: no transfer encoding, and no markup.
func rewrap(l WrapLayout) (status int, err error) {
	if _, err := process.Enough(process.ForRuntime, process.ForRuntime); err != nil {
		return failed, err
	}
	out := output.New(output.Whole(os.Stdout, output.Text.Ends(false)), output.Patient{File: os.Stderr}, false)
	ended := process.Attend(out, func(ctx context.Context) {
		status = copyAll(ctx, l, output.Patient{File: os.Stdin}, out)
	})
	if ended != 0 {
		return ended, nil
	}
	return status, nil
}

// copyAll copies in to out, and reports errors there.
func copyAll(ctx context.Context, l WrapLayout, in io.Reader, out *output.Output) (status int) {
	f := &rewrapper{ctx: ctx, in: in, out: out.Write, opts: l}
	if err := f.run(); err != nil {
		out.Message("-: " + output.Cause(err))
		status = failed
	}
	if err := out.Close(); err != nil && !output.PipeClosed(err) {
		out.Message("standard output: " + output.Cause(err))
		status = failed
	}
	return status
}

// At least the last kept bytes that were read stay in memory, unless they were copied already. The
// number kept is larger than the window of a scanner, so the next candidate is within these bytes.
const kept = 256 << 10

// headLen is how many bytes at the beginning of a line may be its quote prefix.
const headLen = 64

// A rewrapper copies a text.
type rewrapper struct {
	ctx  context.Context
	in   io.Reader
	out  func([]byte) error
	opts WrapLayout

	scan   *delimit.Scanner
	text   []byte // text that was read and not copied: at most twice kept, plus one Read
	base   int64  // offset of text
	made   []byte // the reference that is written
	head   []byte // beginning of the line that is written, at most headLen bytes
	column int    // bytes in the line that is written
	crlf   bool   // the last line that was written ends with CR LF; while none was written, whether the first line of the input does
	failed error  // error of a write; nothing is written after it
}

// run copies the text. The error is the reader's.
func (f *rewrapper) run() error {
	in := bufio.NewReaderSize(f.in, output.BufferSize)
	f.in, f.crlf = in, firstCRLF(in)
	f.scan = delimit.NewScanner(f, delimit.Options{NoLines: true})
	var c delimit.Candidate
	for {
		err := f.scan.Next(&c)
		if err != nil {
			f.copy(f.text)
			if err == io.EOF || f.failed != nil || f.ctx.Err() != nil {
				return nil
			}
			return err
		}
		if c.Outer.Start < f.base {
			continue
		}
		f.advance(int(c.Outer.Start - f.base))
		n := int(c.Outer.Len())
		raw := f.text[:n]
		if made, ok := f.rewrite(&c, raw); ok {
			f.write(made)
			f.text, f.base = f.text[n:], f.base+int64(n)
		} else {
			f.advance(n)
		}
	}
}

// firstCRLF reports whether the first line of in ends with CR LF. It waits for the line, or for the
// buffer to be full.
func firstCRLF(in *bufio.Reader) bool {
	for n := 0; n < in.Size(); n = in.Buffered() {
		if _, err := in.Peek(n + 1); err != nil {
			return false // the text ends, perhaps in the middle of a line
		}
		line, _ := in.Peek(in.Buffered())
		if i := n + bytes.IndexByte(line[n:], '\n'); i >= n {
			return i > 0 && line[i-1] == '\r'
		}
	}
	return false
}

// Read reads for the scanner, and keeps what it has read.
func (f *rewrapper) Read(p []byte) (n int, err error) {
	if f.failed != nil || f.ctx.Err() != nil {
		return 0, io.EOF
	}
	n, err = f.in.Read(p)
	if len(f.text) > 2*kept {
		f.advance(len(f.text) - kept)
	}
	f.text = append(f.text, p[:n]...)
	return n, err
}

// advance copies the first n bytes of the text.
func (f *rewrapper) advance(n int) {
	f.copy(f.text[:n])
	f.text, f.base = f.text[n:], f.base+int64(n)
}

// copy copies b, with the quote prefix in front of each line.
func (f *rewrapper) copy(b []byte) {
	for len(b) > 0 {
		if f.column == 0 && f.opts.Quote != "" {
			f.write([]byte(f.opts.Quote))
		}
		n := bytes.IndexByte(b, '\n') + 1
		if n == 0 {
			n = len(b)
		}
		f.write(b[:n])
		b = b[n:]
	}
}

// write writes b, and remembers the line in which it ends.
func (f *rewrapper) write(b []byte) {
	if f.failed == nil {
		f.failed = f.out(b)
	}
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		f.crlf = i > 0 && b[i-1] == '\r'
		f.head, f.column, b = f.head[:0], 0, b[i+1:]
	}
	f.head = append(f.head, b[:min(len(b), headLen-len(f.head))]...)
	f.column += len(b)
}

// rewrite returns what is written in place of raw, the candidate with its wrapper, or false
// if raw is not changed.
func (f *rewrapper) rewrite(c *delimit.Candidate, raw []byte) ([]byte, bool) {
	o := f.opts.Wrapping()
	o.Form, o.Prefix = delimit.Angle, c.Prefixed || o.Prefix
	if o.Column = f.column; f.column == 0 && f.opts.Quote != "" {
		f.write([]byte(f.opts.Quote))
		o.Column = f.column
	}
	const twofold = delimit.SpaceEscaped | delimit.CutAtSpace | delimit.Rejoined
	switch {
	case c.Breaks == 0 && len(f.lead(o.Width))+len(raw) <= o.Width, c.Others&twofold != 0, bytes.IndexByte(raw, '\\') >= 0:
		return nil, false
	case c.Form == delimit.Bare:
		if !bytes.Equal(c.Raw, c.Text) {
			return nil, false
		}
	case c.Form != delimit.Angle || !plainlyWrapped(c, raw):
		return nil, false
	}
	o.Quote = f.lead(o.Width)
	if o.EOL = "\n"; f.crlf {
		o.EOL = "\r\n"
	}
	made, ok := delimit.AppendWrapped(f.made[:0], c.Text, o)
	f.made = made[:0]
	return made, ok
}

// plainlyWrapped reports whether nothing but white space and a prefix is between the brackets
// of raw and the reference: no label, and no line break.
func plainlyWrapped(c *delimit.Candidate, raw []byte) bool {
	lo, hi := int(c.Inner.Start-c.Outer.Start), int(c.Inner.End-c.Outer.Start)
	front, back := bytes.TrimSpace(raw[:lo]), bytes.TrimSpace(raw[hi:])
	if bytes.IndexByte(raw[:lo], '\n') >= 0 {
		return false
	}
	return string(back) == ">" && (string(front) == "<" || c.Prefixed && bytes.EqualFold(front, []byte("<URL:")))
}

// lead returns what the second and later lines of a reference begin with: the quote prefix
// and the indent of its first line. An indent that leaves no room is left out.
func (f *rewrapper) lead(width int) string {
	lead := f.head[:delimit.QuotePrefix(f.head)]
	if len(lead) > width/2 {
		marks := bytes.TrimRight(lead, " \t")
		if len(marks) == 0 {
			return ""
		}
		return string(marks) + " "
	}
	return string(lead)
}
