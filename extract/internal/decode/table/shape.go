package table

// Whether rows fit the table. A file may begin with a table and go on with prose, in which
// a comma in a reference is its own.

// A shape is what is known of the rows.
type shape struct {
	cells   int  // delimiters of the present row
	blank   bool // the present row has no byte but its end
	want    int  // delimiters that rows have; 0 before the first one
	last    int  // those of the row before
	equal   int  // how many rows in succession had as many as it
	misfits int  // rows that do not fit, less those that do, not below 0
	fits    int  // rows in succession that fit
}

// Bounds of shape: how many more rows do not fit than fit where a table ends; rows in
// succession that begin one again; and rows in succession whose number of cells, if it is
// the same for all of them, becomes that of the table.
const (
	endTable  = 5
	newTable  = 4
	newNumber = 3
)

// A turn is what the end of a row says of the rows that follow.
type turn uint8

const (
	stays   turn = iota
	leaves       // text follows
	returns      // the table goes on
)

// endRow is called at the end of each row, and in prose at the end of each line. It says
// what follows. guessed says that the table may end.
func (s *shape) endRow(guessed, prose bool) turn {
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
