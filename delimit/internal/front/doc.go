// Package front examines what is in front of the body of a reference: its scheme, schemes that wrap
// it, the byte in front of it, and the opener of a wrapper.
//
//	lo, _, _ := front.SchemeBefore(&w, colon)
//	o, mark := front.Opener(&w, lo)   // mark is '<', '"' or 0
//
// Each search back is bounded, and ends at the end of the last candidate.
package front
