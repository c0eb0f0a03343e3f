package record

// Programs differ in which characters end a line. For Python's str.splitlines, the
// characters below do too. So such a program may cut a row inside a cell, and read the rest
// of the cell as a row.

// lineEnds are the characters that end a line for some programs, without the line feed and
// the carriage return.
var lineEnds = [...]string{"\v", "\f", "\x1C", "\x1D", "\x1E", "\u0085", "\u2028", "\u2029"}

// lineEnd returns the length of the one of lineEnds that text begins with, or 0.
func lineEnd(text []byte) int {
	for _, end := range lineEnds {
		if text[0] == end[0] && len(text) >= len(end) && string(text[:len(end)]) == end {
			return len(end)
		}
	}
	return 0
}

// beginsLineEnd has the bytes that lineEnds begin with.
var beginsLineEnd = func() (is [256]bool) {
	for _, end := range lineEnds {
		is[end[0]] = true
	}
	return is
}()

// guardLines returns cell with an apostrophe in front of each formula that follows one of
// lineEnds, and whether cell has one of these. guarded is cell itself, or is valid until
// the next call.
func (t *Table) guardLines(cell []byte) (guarded []byte, broken bool) {
	done := 0 // cell[:done] was copied
	for i := 0; i < len(cell); i++ {
		if !beginsLineEnd[cell[i]] {
			continue
		}
		n := lineEnd(cell[i:])
		if n == 0 {
			continue
		}
		broken = true
		i += n - 1
		if end := i + 1; formula(cell[end:], true) {
			if done == 0 {
				t.guarded = t.guarded[:0]
			}
			t.guarded = append(append(t.guarded, cell[done:end]...), '\'')
			done = end
		}
	}
	if done == 0 {
		return cell, broken
	}
	t.guarded = append(t.guarded, cell[done:]...)
	return t.guarded, broken
}
