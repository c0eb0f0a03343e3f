// Package window holds the part of a text that is in memory, and searches it for colons.
//
//	var w window.Window
//	w.Grow(size)
//	w.Reset(reader)
//	w.Fill(0)            // one Read
//	at := w.Colon(0)     // the first colon that is worth a closer look, or -1
//	w.Place(at)          // its line and column
//
// The loops that visit each byte have kernels for processors with AVX2. The program in asm writes
// them. Each kernel has a twin in Go.
package window
