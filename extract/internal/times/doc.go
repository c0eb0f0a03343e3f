// Package times reads the times that texts have: the dates of messages, and the time stamps
// in the lines of logs.
//
//	t, ok := times.Parse("Mon, 5 Jan 1998 12:00:01 +0000")
//
//	var lines times.Lines // between a text and the scanner that reads it
//	lines.Reset(text, 0, maxLen, modTime)
//	...
//	seconds, found := lines.Stamp(offset) // of the line of the candidate at offset
//
// The package imports nothing of ours.
package times
