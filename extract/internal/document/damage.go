package document

import (
	"errors"
	"io"
	"slices"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
)

// In this file is the damage of a stream and its place: damage that ends the stream, and
// warnings about damage that was skipped.

// faultOf returns what ended s as Damage; nil if nothing did but its end.
func (s *stream) faultOf() *damage.Damage {
	err := s.fault
	if err == nil || err == io.EOF || errors.Is(err, damage.ErrStopped) {
		return nil
	}
	switch e := err.(type) {
	case *damage.Damage:
		return e
	case *decode.Error:
		return fromDecode(e, s)
	}
	return &damage.Damage{Class: damage.Read, Stage: compress.None.String(), Err: err, Level: s.level}
}

// fromDecode returns e, which a stage of s or a reader of its messages has met.
func fromDecode(e *decode.Error, s *stream) *damage.Damage {
	m := &damage.Damage{Class: damage.Text, Stage: e.Stage, Err: damage.Fact(e.What), Level: s.level, Offset: e.Offset, Known: true, Mild: e.Mild}
	if e.Mild && !e.Lost {
		m.Severity = damage.Warning
	}
	if e.Limit > 0 { // the only limit in package mail
		m.Severity = damage.Error
		m.Class, m.Limit, m.Value = damage.Limit, "Nesting", int64(e.Limit)
	}
	return m
}

// place returns where m is, which s has met.
func (d *Reader) place(s *stream, w Where, m *damage.Damage) Place {
	p := Place{Where: w}
	p.Exact, p.Offset = true, m.Offset
	if !m.Known {
		p.Offset = s.raw.read
	}
	switch {
	case s.staged:
		p.Line, p.Column, _ = s.lines.Position(p.Offset)
	case m.Known: // in an archive, which has no lines
	case s.direct && s.raw.read > s.first:
		p.Reached = true
	default: // at the first byte of the text, or of what is to be read
		p.Line, p.Column = 1, 1
		if s.first == s.mark {
			p.Column += s.mark
		}
	}
	return p
}

// fail puts m into the queue, at the place where it is.
func (d *Reader) fail(s *stream, m *damage.Damage) {
	d.queue = append(d.queue, placed{m, d.place(s, d.where, m)})
}

// maxWarnings bounds the damage that is kept for a part: that of a few stages, each of
// which says each thing once a part.
const maxWarnings = 16

// steppedOver keeps damage that a stage of s, with n others below, skipped, with
// its place, until the part has been read: how far the scanner is just then depends on
// how much is read at once.
func (d *Reader) steppedOver(s *stream, e *decode.Error, n int) {
	if len(s.warnings) == maxWarnings {
		return
	}
	w := d.where
	if inner := d.depth - 1; s.level < inner {
		w = d.streams[s.level+1].around.where
	}
	for i := s.used - 1; i > 0 && n < s.boxes[i].bottom; i-- {
		w = s.boxes[i].around.where // the stage undoes the encoding of a whole message
	}
	m := fromDecode(e, s)
	s.warnings = append(s.warnings, placed{m, d.place(s, w, m)})
}

// warned moves what was kept for the part of s into the queue.
func (d *Reader) warned(s *stream) {
	if len(s.warnings) > 0 {
		d.queue = append(d.queue, s.warnings...)
		clear(s.warnings)
		s.warnings = s.warnings[:0]
	}
}

// forgetWarnings drops what was kept of a part that is not read after all: how much of
// it was seen depends on how much is read at once.
func (s *stream) forgetWarnings(section string) {
	s.warnings = slices.DeleteFunc(s.warnings, func(e placed) bool { return e.at.Part == section })
}
