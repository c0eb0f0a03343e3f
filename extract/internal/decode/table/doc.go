// Package table turns tables of comma-separated values (RFC 4180) and similar formats
// into text in which no reference spans two cells.
//
//	delimiter, wait := table.Sniff(head, whole) // 0 if head is not a table
//	chain.PushDecoder(&table.Decoder{Delimiter: delimiter})
//	text, err := io.ReadAll(&chain)
//
// The delimiter is one of "," ";" TAB "|". Delimiters and row ends become control
// characters (the information separators of ASCII), which end every reference and every
// wrapper of package delimit. The quotation mark in front of a cell becomes a line feed,
// so that the first line of the cell has no other cell in front of it. The quotation mark
// after the cell becomes a separator. "" in such a cell becomes ". Everything else is
// kept, including line breaks in quoted cells. So except for pairs of marks, text and
// table have the same length.
//
// # Broken tables
//
//   - Rows may have any number of cells.
//   - A quotation mark in a cell that does not begin with one is text. In a quoted cell, so
//     is a mark that is not followed by another mark, a delimiter or the end of the row.
//   - A quoted cell that is never closed ends with its line. At each line break in a quoted
//     cell, at most the next 4 KiB decide whether it is closed (quoted). If not, this
//     affects only its row, and is reported once for each text.
//   - If several consecutive rows do not fit a table that was recognised by its first rows,
//     what follows is read as running text until rows fit again (rowCounts). This too is
//     reported once.
//
// # Limits
//
// A cell may have any length. The Decoder stores only numbers, nothing of the table. Each
// byte is examined a bounded number of times. A table is read by one worker, because all
// quotation marks in front of a line decide whether it begins a row.
package table
