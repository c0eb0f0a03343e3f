package main

import (
	"bytes"
	"slices"
)

// guarded returns cell, whose memory is its own, with an apostrophe in front if a
// spreadsheet would read it as a formula: then it is text there. A space in front of
// the sign makes it text, too. The wide signs are those that input methods of East
// Asia write.
//
// Tabs says that the table is TSV, which has no quotes. But many readers of it know
// some, and some skip spaces at the beginning of a cell: these get a formula of "=1" and
// of a space and =1. So what begins with a quote gets an apostrophe there, which ends the
// meaning of the quote, and spaces do not count. In CSV both are in quotes of our own.
func guarded(cell []byte, tabs bool) []byte {
	text := cell
	if tabs {
		text = bytes.TrimLeft(cell, " ")
		if bytes.HasPrefix(text, quotes) {
			return slices.Insert(cell, 0, '\'')
		}
	}
	for _, sign := range formulas {
		if bytes.HasPrefix(text, sign) {
			return slices.Insert(cell, 0, '\'')
		}
	}
	return cell
}

// quotes is what cells of CSV are in.
var quotes = []byte{'"'}

// formulas are what a cell begins with that is one, or is once the white space has
// been taken off.
var formulas = [][]byte{{'='}, {'+'}, {'-'}, {'@'}, {'\t'}, {'\r'}, {'\n'}, []byte("＝"), []byte("＋"), []byte("－"), []byte("＠")}
