package record

import (
	"bytes"
	"slices"
)

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

// formula reports whether a spreadsheet may run cell as a formula. tabs says that the cell is one
// of TSV. Some programs that read TSV skip spaces in front of the sign, and interpret quotes. So in
// TSV spaces are skipped here too, and a cell that begins with a quote counts as a formula.
func formula(cell []byte, tabs bool) bool {
	if tabs {
		cell = bytes.TrimLeft(cell, " ")
		if len(cell) > 0 && cell[0] == '"' {
			return true
		}
	}
	return slices.ContainsFunc(formulaSigns, func(sign []byte) bool { return bytes.HasPrefix(cell, sign) })
}

// formulaSigns are the signs with which a formula begins. White space in front of a sign does not
// count. The wide signs are those of East Asian input methods.
var formulaSigns = [][]byte{{'='}, {'+'}, {'-'}, {'@'}, {'\t'}, {'\r'}, {'\n'}, []byte("＝"), []byte("＋"), []byte("－"), []byte("＠")}
