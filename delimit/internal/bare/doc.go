// Package bare finds the end of a bare reference (rules 6, 7, 11, 12, 14 and 20 in package delimit).
//
//	from, state := bare.BodyOf(text, colon)
//	end, _, v := finder.EndOfBare(text, start, from, state, before, atEOF, false)
//	end = bare.Trim(text, start, end, start)
//
// All scans over a text together take linear time: nest.go and earlyreject.go say how.
package bare
