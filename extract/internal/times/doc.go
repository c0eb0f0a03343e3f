// Package times reads the times that texts have: the dates of messages, and the time stamps
// in the lines of logs.
//
//	t, ok := times.Parse("Mon, 5 Jan 1998 12:00:01 +0000")
//
//	var lines times.LineStamps // between a text and the scanner that reads it
//	lines.Reset(text, 0, maxLen, modTime)
//	...
//	seconds, found := lines.Stamp(offset) // of the line of the candidate at offset
//
// # Why no library
//
// Dates of messages are parsed by time.Parse, after months, zones and comments are in one
// form. net/mail.ParseDate has fewer forms, its zone names are those of the machine, and it
// imports package net, which brings cgo. Libraries that guess the layout, such as
// araddon/dateparse, take 3/4/2014 as month and day; here, an ambiguous text is not a date.
//
// The time stamps of logs are parsed without package time (stamp.go), because neither their
// beginnings nor their layouts are known, and time.Parse takes twice as long even with the
// right layout.
//
// The package imports nothing of ours.
package times
