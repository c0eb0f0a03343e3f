// Package charset decodes character sets to UTF-8.
//
//	var decoders charset.Decoders
//	d, known := decoders.Decoder([]byte("ISO-2022-JP")) // the label in a mail
//	if !known {
//		// the label is unknown; d reads UTF-8 and windows-1252
//	}
//	chain.PushDecoder(d)
//
//	form, n := charset.SniffBOM(head)       // UTF16LE, 2
//	chain.PushDecoder(charset.NewUnicode(form))
//
// # Vocabulary
//
//   - A label is the name of a character set in a message, in any case and spelling.
//   - [Unicode] is an encoding form of Unicode: UTF-8, or UTF-16 or UTF-32 in one of two
//     byte orders. A code unit is its 1, 2 or 4 bytes.
//   - [Decoders] finds the decoder for a label and keeps it for the next use.
//   - A lenient decoder treats each byte that is not part of well-formed UTF-8 as
//     windows-1252.
//
// The tables are those of golang.org/x/text. Labels are read as browsers read them (WHATWG
// Encoding): ISO-8859-1 is windows-1252, GB2312 is GB18030.
//
// # Limits
//
// Input that stands for no character becomes U+FFFD and is not an error. An ASCII byte after a
// broken lead byte is kept, so no '<' and no line end is lost. Decoders keeps at most 64
// labels of at most 64 bytes. A table for a character set of two bytes takes 128 KiB; it is
// allocated when it is first needed.
package charset
