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
// # Why no library
//
// Dates of messages are parsed by time.Parse, after months, zones and comments are in one
// form. net/mail.ParseDate has fewer forms, its zone names are those of the machine, and
// it imports package net, which brings cgo. Libraries that guess the layout, such as
// araddon/dateparse, take 3/4/2014 as month and day; here, what is ambiguous is no date.
//
// The time stamps of logs are read by hand (stamp.go): it is not known where one begins and
// which layout it has, and time.Parse with the right layout takes twice as long.
//
// The package imports nothing of ours.
package times
