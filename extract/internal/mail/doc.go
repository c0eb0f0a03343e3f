// Package mail takes mailboxes, batches, messages and articles apart into parts
// that can be read as text, streaming, and tells where in the raw stream each
// byte of a part stands.
//
// # Vocabulary
//
// A stream is framed: [Sniff] tells how, from its first bytes. Its messages have
// ordinals. An entity (RFC 2045, section 2.4) is a message or a part of a
// multipart: a header and a body. What a [Reader] hands out as a [Part] is the
// header of an entity, the body of one that is a leaf, or the text around the
// parts of a multipart. A level is an entity that is open: a multipart, or a
// message that lies in a part.
//
//	raw stream ─► frame ─► lines: stepHeader, stepText, stepData ─► Part.Body
//	               68 KiB       │ boundary, separator, end
//	                            ▼
//	              Reader.Next: beginMessage ─► lookAhead ─► enter ─► leave
//	                                 ▲                                 │
//	                                 └─────────────────────────────────┘
//
// The package frames, and nothing else: transfer encodings and charsets are for
// those above, and a message that is itself encoded for another Reader over what
// was decoded.
//
// # Order
//
// The header of a message comes first, then its leaves in the order in which
// they stand, each after its own header if that has a field. Every byte of the
// stream is in one part at most; From_ lines, batch lines, boundary lines, the
// '>' that a mailbox puts before "From ", blank lines after headers and
// uuencoded or yEnc data in plain text are in none.
//
// # Damage
//
// What is wrong is reported once, as an error in between, and read on as well as it
// can be: a multipart without a boundary is text, one without an end ends with
// the one around it or with its message, an article whose count is wrong ends at
// the next batch line, a header that breaks off becomes body there (as in other
// readers of mail), and what is nested too deep is text verbatim.
//
// # Bounds
//
// A Reader has one buffer of 68 KiB, 8 KiB for each field that it examines, 1 KiB
// at most for the boundary of each level, 256 short strings that it uses again,
// and the map of one body, which grows with lines that have a '>' removed and
// is forgotten in step with reading. Lines, fields and headers have any length:
// 4096 bytes decide what a line is, 256 what a field is, and the first 65536 of a
// header are known before it is read. Time is linear: each byte is examined by
// one search for line ends and copied once or twice; a line that begins as a
// boundary or From_ line is examined a few times more, and compared with the
// boundaries that are open.
package mail
