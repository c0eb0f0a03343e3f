package table

// This file decides whether rows fit the table. A file may begin with a table and
// continue with prose, in which a comma may be part of a reference.

// rowCounts count rows and their cells.
type rowCounts struct {
	cells   int  // delimiters in the current row
	blank   bool // the current row is empty
	want    int  // delimiters that rows should have; 0 before the first row
	last    int  // delimiters in the previous row
	equal   int  // how many consecutive rows had that many
	misfits int  // rows that do not fit, minus those that do, at least 0
	fits    int  // consecutive rows that fit
}

// Bounds of rowCounts.
const (
	endTable  = 5 // a table ends when misfits reaches this number
	newTable  = 4 // it begins again after this many consecutive rows that fit
	newNumber = 3 // this many consecutive rows with equally many cells set the number of cells of the table
)

// A turn says how the rows after the end of a row are read.
type turn uint8

const (
	stays   turn = iota
	leaves       // text follows
	returns      // the table continues
)

// endRow is called at the end of each row, and in prose at the end of each line. It says
// how to read what follows. guessed says that the table may end.
func (s *rowCounts) endRow(guessed, prose bool) turn {
	n, blank := s.cells, s.blank
	s.cells, s.blank = 0, true
	if blank {
		return stays
	}
	if n == s.last {
		s.equal++
	} else {
		s.last, s.equal = n, 1
	}
	if s.want == 0 || n > 0 && s.equal >= newNumber && !prose {
		s.want = n
	}
	if n == s.want && n > 0 {
		s.fits++
		s.misfits = max(0, s.misfits-1)
	} else {
		s.fits = 0
		s.misfits++
	}
	switch {
	case !prose && guessed && s.misfits >= endTable:
		return leaves
	case prose && s.fits >= newTable:
		s.misfits = 0
		return returns
	}
	return stays
}
