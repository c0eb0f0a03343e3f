// Package transfer decodes the transfer encodings of text: base64, quoted-printable,
// format=flowed, the folded lines and escapes of calendars and address cards, and LDIF.
//
//	chain.PushDecoder(transfer.NewQuotedPrintable())
//	chain.PushDecoder(transfer.NewFlowed())
//
//	b := transfer.NewBase64()
//	b.Text = true // lines that are not base64 are worth reading
//	chain.PushDecoder(b)
//
//	chain.PushDecoder(transfer.NewUnfold())
//	chain.PushDecoder(transfer.NewLDIF())
//
// # Vocabulary
//
//   - A group is four characters of base64, which stand for three bytes.
//   - Junk is a line among base64 that is not base64, such as the footer of a mailing list.
//   - A soft line break is a line end that the encoding inserted: '=' at the end of a line
//     in quoted-printable, a space at the end of a line in format=flowed.
//
// # Limits
//
// No decoder needs more than [decode.MaxUnit] bytes of input at once. Damage is mild, and
// each kind is reported once: a line or a byte that is not base64, a group that is cut, a
// '=' that begins no escape. White space at a line's end in quoted-printable is kept.
package transfer
