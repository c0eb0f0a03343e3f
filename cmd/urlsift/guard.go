package main

import (
	"bytes"
	"slices"
)

// guarded returns cell, whose memory is its own, with an apostrophe in front if a
// spreadsheet would take it for a formula: then it is text there. A space in front of
// the sign makes it text, too. The wide signs are those that input methods of East
// Asia write.
func guarded(cell []byte) []byte {
	for _, sign := range formulas {
		if bytes.HasPrefix(cell, sign) {
			return slices.Insert(cell, 0, '\'')
		}
	}
	return cell
}

// formulas are what a cell begins with that is one, or is once the white space has
// been taken off.
var formulas = [][]byte{{'='}, {'+'}, {'-'}, {'@'}, {'\t'}, {'\r'}, {'\n'}, []byte("＝"), []byte("＋"), []byte("－"), []byte("＠")}
