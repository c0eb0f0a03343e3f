// Package mail splits mailboxes, batches, messages and articles, and the records of web archives
// (warc.go), into parts that can be read as text, and locates each byte of a part in the raw stream.
//
//	framing, _ := mail.Sniff(head, true)
//	var r mail.Reader
//	r.Reset(stream, 0, framing, 9, "")
//	for {
//		part, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		...                                          // a Mild error: report it and go on
//		fmt.Println(part.Message, part.Section, part.Type) // 1 1.2 text/html
//		io.Copy(out, part.Body)                      // still encoded
//	}
//
// # Vocabulary
//
//   - The framing of a stream is the way in which messages follow one another: an mbox, a
//     batch of news, one message. [Sniff] recognises it by the first bytes.
//   - An entity (RFC 2045, section 2.4) is a message or a part of a multipart: a header and a
//     body. A leaf is an entity that contains no other entity.
//   - A [Part] is what a [Reader] returns: the header of an entity, the body of a leaf, or the
//     text around the parts of a multipart.
//   - An open entity is a multipart, or a message in a part, whose end has not been read.
//   - A separator is a line between two messages. A From_ line is the separator of an mbox.
//
// The package does not decode transfer encodings and charsets. A message that is itself
// encoded is read by another Reader over the decoded bytes.
//
//	raw stream ─► input ─► endFinder: stepHeader, stepText, stepData ─► body, which is Part.Body
//	              68 KiB       │ boundary, separator, end
//	                           ▼
//	              traversal.next: framer.next ─► lookAhead ─► enter ─► leave
//	                                     ▲                                │
//	                                     └────────────────────────────────┘
//
// A Reader is a shell around a traversal, which has a state and the following pieces. Each
// piece refers only to those above it in this list:
//
//	frame, input            the buffer; the article's count, and the damage that was found
//	fields, valueParser     the fields of a header, and their values
//	nesting, currentEntity  the open entities around the current one; its number
//	mbox, framer            From_ lines; what is between messages
//	endFinder, body         how far the part reaches; its reader
//
// # From_ lines
//
// No single sign is certain in a mailbox. A line that begins with "From " separates messages as
// this table says. The start of the stream and of a message count as a blank line; ">From " lines
// may stand in front of the field; a field has a known name if it is one of mail and news (see
// fields.go), or looks like X-Anything or Any-Thing.
//
//	the line                                      separates
//	From sender date, in the order of asctime     after a blank line; elsewhere if a field follows
//	or of RFC 5322
//	"From ", "From -", "From someone", numbers    after a blank line if a field with a known
//	or a date in another form                     name follows
//	several other words                           the same, outside of multiparts and messages
//	                                              in messages; and not if the name is Any-Thing
//	the same, or one word, with a ':' or ','      never
//	at the end; any line with a CR in it
//	>From ..., >>From ...                         never; the first '>' is removed from the text
//	any of them within the body, according to a   never
//	Content-Length that is correct
//
// At the start of the stream a line with a date also needs a field after it. A line that separates
// and may hold a reference is a part of its own ("FROM"), because it may be text all the same.
//
// # Order
//
// The header of a message comes first, then its leaves in the order of the stream, each after its
// own header if that header has a field. Every byte of the stream is in at most one part. These are
// in no part: other From_ lines, batch lines, boundary lines, the '>' that a mailbox adds before "From ",
// blank lines after headers, and uuencoded or yEnc data in plain text.
//
// # Damage
//
// Damage is reported once, as an error from Next. Reading continues after it in the same
// message where possible. A multipart without a boundary is text. A multipart without an end
// ends with the multipart around it or with its message. An article with a wrong count ends at
// the next batch line. If a header is broken off, the rest is read as body, as other readers of
// mail do. Entities that are nested too deep are text, verbatim.
//
// # Limits
//
// A Reader has one buffer of 68 KiB, 8 KiB for each field that it keeps, at most 1 KiB for
// the boundary of each open entity, 256 short strings that it uses again, and the map of one
// body. The map gets a mapping for each line from which a '>' was removed. The mappings are
// dropped as the body is read. Lines, fields and headers may have any length: the first
// 4096 bytes decide what a line is, the first 256 what a field is, and the first 65536 of a
// header are examined before it is read. Time is linear: each byte is examined by one
// search for line ends and copied once or twice. A line that begins like a boundary or a
// From_ line is examined a few times more, and compared with the open boundaries.
package mail
