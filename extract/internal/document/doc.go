// Package document says what a source holds, as a sequence of texts: running text, a
// page, the parts of messages, what is in attachments and in archives.
//
//	d := document.NewReader(options, hooks, pool, ledger)
//	d.Open(file, wake)
//	for {
//		t, err := d.Next() // a text, or *damage.Damage of a stretch; io.EOF
//		...                // read t to its end, and ask it for places
//	}
//
// The reader of a text asks it where in the raw stream a stretch of text stood
// ([Text.Locate]). References by themselves, as attributes of HTML have them, come
// beside the text ([Text].Values).
//
// # Words
//
//   - A raw stream is what a source, a member or an attachment holds when all
//     compression is undone: what zcat would show. It has a level: 0 for the source,
//     one more for each member or attachment around (stream.go).
//   - A container yields what it holds: a raw stream (its text, its messages or its
//     members), a mailbox (messages.go), an archive (archive.go). The open ones lie on a
//     stack. What a container changes in the Reader it restores when it is left.
//   - A text is what comes of one part or one stream in the end, in UTF-8. It is direct
//     where nothing had to be decoded.
//   - A treatment is what is done with a part of a message, by its type (treatment.go).
//   - A look is what the first bytes of a stream say of it (look.go).
//
// # What becomes of a stream
//
//	Open ─► stream ─┬─► its text ──────────────────────────────────────► Next
//	  ▲             ├─► mailbox ─► part ─┬─► its text (messages.go) ───► Next
//	  │             │                    ├─► mailbox, if it was encoded as a whole
//	  │             │                    └─► attachment ─┐
//	  │             └─► archive ─► member ───────────────┤
//	  └──────────────────────────────────────────────────┘
//
// # Damage
//
// Damage is returned by Next, in the order of places, and reading continues after what it
// costs: a part, a member, the rest of a stream. The stream at the level of the damage
// reports it, once. Damage that a decoder has skipped comes after the part.
//
// # Limits
//
// Containers lie in one another up to [compress.Limits].Depth. For each level there are a
// stream and, where it holds messages, a mail.Reader with 68 KiB, and as much for each
// encoded message within another; where it holds a zip archive, 72 KiB. At most 16
// warnings are kept for a part. A Read of a Text returns once it has met 64 Values, or 16 KiB
// of them.
//
// # Who reads the middle
//
// Several workers may read one source. [Hooks].Layout says how a source can be divided;
// [Reader.OpenLines] and [Reader.OpenMessages] begin in the middle (segment.go).
//
// The package imports compress, the archives, mail, decode, damage and ledger. It does not
// know what a reference is, the reader, or what is printed.
package document
