// Package table turns tables of comma-separated values (RFC 4180) and their kin into
// text in which each cell stands by itself.
//
//	delimiter, wait := table.Sniff(head, whole) // 0 if head is no table
//	chain.PushDecoder(&table.Decoder{Delimiter: delimiter})
//	text, err := io.ReadAll(&chain)
//
// The delimiter is one of "," ";" TAB "|". A delimiter and the end of a row become control
// characters (information separators of ASCII), which end every reference and every wrapper
// of package delimit. The quotation mark in front of a cell becomes a line feed, so that
// its first line has no other cell in front of it; the one after it becomes a separator.
// "" in such a cell becomes ". All else is kept, line breaks in a quoted cell too. So the
// text is as long as the table, but for pairs of marks.
//
// # What is read although it breaks the rules
//
//   - Rows may have any number of cells.
//   - A quotation mark within a cell that does not begin with one is text. So is one in a
//     quoted cell that neither another mark, a delimiter nor the end of the row follows.
//   - A quoted cell that is never closed ends with its line. Whether a cell is closed is
//     decided at each line break in it, by the next 4 KiB at most (quote.go). It costs the
//     row that it stands in, and one warning for each text.
//   - After a few rows in succession that do not fit, a table that was only recognised by
//     its first rows is read as running text, until rows fit again (shape.go). That too
//     is one warning.
//
// # Limits
//
// A cell may have any length. The Decoder keeps nothing of the table but numbers. Each byte
// is examined a bounded number of times. A table is read by one worker: whether a line
// in the middle of a file begins a row depends on all quotation marks in front of it.
package table
