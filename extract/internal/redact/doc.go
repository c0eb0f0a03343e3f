// Package redact finds the passwords of accounts in text and replaces them. It knows
// neither results nor output, and imports no other package of the module.
//
//	var r redact.Redactor
//	line, found := r.Append(nil, []byte("see ftp://u:secret@h/ and http://h/"))
//	fmt.Printf("%s (%d)\n", line, found.Count) // see ftp://u:***@h/ and http://h/ (1)
//
// A password is between the first ':' and the last '@' of an authority. Authorities are searched in
// the whole text, not in the components of a reference, because references contain one another, and
// because any character of them may be escaped: as %3A, as &colon;, as \u003a, as \072, as [:], as
// =3A, as +ADo-, by a look-alike, or by more bytes of UTF-8 than it needs, once or several times. A
// reference begins with a scheme, with two slashes, or with a host that needs none, such as
// www.example.org.
//
// The plan has three steps.
//
//  1. The view (glyphView) is the text with its escapes decoded. Each pass decodes one level
//     of escapes of all kinds. Passes are repeated until nothing changes, at most
//     maxPasses times. Each character of the view has the offset in the text at which it
//     begins, and the escapes that were decoded to get it: its levels of escapes (type levels).
//  2. Authorities are found in the view (search). An authority ends at a '/', '?' or '#'
//     that has no more levels than the slashes in front of it. A delimiter with more
//     levels, or with other ones, is data: http://u:se%2Fcret@h has one authority. If
//     two readings are possible, the one that hides more is chosen.
//  3. The passwords are replaced in the text itself (Redactor). This is repeated until
//     nothing changes, at most maxRounds times.
//
// If a bound is reached, the whole text is replaced: the package hides more than it
// must, never less. Time is linear in the length of the text. A [Redactor] keeps its
// buffers, and most texts are recognised as harmless without a view.
package redact
