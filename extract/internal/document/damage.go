package document

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// This file has the damage of a stream and its position: damage that ends the stream, and
// warnings about damage that was skipped.

// damageOf returns the Damage in fault, which ended a stream of that level, or nil if the stream has
// reached its end. An error that is not a Damage is io.ErrNoProgress, from a reader that makes no
// progress.
func damageOf(fault error, level int) *damage.Damage {
	switch err := fault.(type) {
	case nil:
		return nil
	case *damage.Damage:
		return err
	default:
		if err == io.EOF || err == damage.ErrStopped {
			return nil
		}
		return &damage.Damage{Class: damage.Read, Stage: damage.StageRead, Err: err, Level: level}
	}
}

// positionOf returns the position of m, which was found in s.
func (s *stream) positionOf(w Where, m *damage.Damage) DamagePosition {
	p := DamagePosition{Where: w}
	p.Exact, p.Offset = true, m.Offset
	switch {
	case m.Known:
	case s.isArchive: // archives read without raw
		p.Offset = s.done
	default:
		p.Offset = s.raw.read
	}
	switch {
	case s.decodes:
		p.Line, p.Column, _ = s.lines.Position(p.Offset)
	case m.Known, s.isArchive: // in an archive, which has no lines
	case s.direct && s.raw.read > s.first:
		p.AtReader = true
	default: // at the first byte of the text, or at the next byte to read
		p.Line, p.Column = 1, 1
		if s.first == s.bom {
			p.Column += s.bom
		}
	}
	return p
}

// fail reports m, with its position.
func (s *stream) fail(d *Reader, m *damage.Damage) {
	d.reports.add(m, s.positionOf(d.path.where, m))
}

// failPart handles err, which ended a text or a nested message of s. Damage of a part
// costs only that part; any other error ends s.
func (s *stream) failPart(d *Reader, err error) {
	if m, ok := err.(*damage.Damage); ok && s.mail && m.Class == damage.Text && m.Level == s.level {
		s.fail(d, m)
		return
	}
	s.fault = err
}

// steppedOver keeps a warning, with its position, until the part has been read. A link of the chain
// of s has skipped the damage, and n links are below it (decode.Chain.Mild).
// The warning is not reported at once, because its place among the results would depend on the
// size of reads.
func (s *stream) steppedOver(d *Reader, m *damage.Damage, n int) {
	if len(s.warnings) == maxWarnings {
		return
	}
	w := d.path.where
	if inner := d.depth - 1; s.level < inner {
		w = d.streams[s.level+1].outside.where
	}
	for i := s.used - 1; i > 0 && n < s.mailboxes[i].linksBelow; i-- {
		w = s.mailboxes[i].outside.where // links below its reader decode the whole message
	}
	s.warnings = append(s.warnings, locatedDamage{m, s.positionOf(w, m)})
}

// warned reports the warnings about the current part of s. It is called at the end of each part,
// before anything that follows the part is returned.
func (s *stream) warned(d *Reader) {
	if len(s.warnings) > 0 {
		d.reports.queue = append(d.reports.queue, s.warnings...)
		clear(s.warnings)
		s.warnings = s.warnings[:0]
	}
}
