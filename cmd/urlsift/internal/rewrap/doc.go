// Package rewrap copies a text byte for byte, except for the references in it that are longer
// than a line, or on several lines: these are written as package delimit writes them, so that
// the same references are found in the copy.
//
//	status, err := rewrap.Run(refs.Layout{Width: 72, Text: true})
//
// Text that can be read in two ways (spaces in brackets, labels, quotation marks) is not changed.
// Nothing is decoded, so the input must be plain text: no transfer encoding, and no markup.
package rewrap
