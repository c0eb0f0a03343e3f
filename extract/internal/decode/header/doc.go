// Package header turns the header of a message (RFC 5322) into text: the values of its
// fields, with encoded words (RFC 2047) decoded.
//
//	h := &header.Decoder{
//		Sink: func(a decode.Attr) error {
//			fmt.Println(a.Name, string(a.Value)) // content-location http://a/
//			return nil
//		},
//	}
//	chain.PushDecoder(h)
//	text, err := io.ReadAll(&chain)
//	name := h.Field(at) // the field of the text at that offset
//
// # Vocabulary
//
//   - A field is a name, a colon and a value. The value continues over folds: line ends
//     followed by white space.
//   - An encoded word is "=?charset?Q?text?=" or "=?charset?B?text?=".
//   - A kept value is one that is a reference or an identifier as a whole. It is passed to the
//     sink and is not text.
//   - A field with brackets, such as Link and List-Archive, holds references in angle brackets
//     and other things. Its relative references are kept values; everything else is text.
//   - A left-out field holds identifiers, signatures or pictures. It is removed.
//
// # Limits
//
// The name of a field has at most 76 bytes. A kept value has at most [Decoder.MaxValue]
// bytes; a longer one is dropped whole and counted. [Decoder.Field] knows the last 1024 fields.
// An encoded word may be longer than the 75 bytes of RFC 2047. 8-bit bytes that are not UTF-8
// are read as windows-1252, and reported once as mild damage.
package header
