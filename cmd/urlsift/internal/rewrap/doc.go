// Package rewrap copies a text byte for byte, except for references that are longer than a
// line or on several lines. These are written as package delimit writes them, so that a
// scanner finds the same references in the copy.
//
//	status, err := rewrap.Run(refs.WrapLayout{Width: 72, Text: true})
//
// Text that can be read in two ways (spaces in brackets, labels, quotation marks) is not changed.
// Nothing is decoded, so the input must be plain text: no transfer encoding, and no markup.
package rewrap
