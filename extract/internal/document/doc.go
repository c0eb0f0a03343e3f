// Package document yields the content of a source as a sequence of texts: running text, HTML
// pages, the parts of messages, and the content of attachments and archives.
//
//	d := document.NewReader(options, hooks, pool, ledger)
//	d.Open(file, wake)
//	for {
//		t, err := d.Next() // a text; io.EOF; or *damage.Damage, after which Next continues
//		...
//		n, err := t.Read(buf)         // decoded text, to its end
//		at := t.Locate(start, end)    // where a stretch of it is in the raw stream
//	}
//	d.Close()
//
// References that are complete values, such as attributes of HTML, are not in the text:
// each Read sets [Text].Values.
//
// # Words
//
//   - A raw stream is a source, a member or an attachment after all decompression: the bytes
//     that zcat would print. Its level is 0 for the source, and one more for each member or
//     attachment around it (stream.go).
//   - A container yields texts: a raw stream (its text, messages or members), a mailbox
//     (mailbox.go), an archive (archive.go). Open containers are on a stack. A container
//     restores what it has changed in the Reader when it is left.
//   - A text is the decoded content of one part or one stream, in UTF-8. It is direct if
//     nothing had to be decoded.
//   - A path is where the Reader is: member, message, part (path.go). The field outside of a
//     container is the path as it was when the container was entered.
//   - A treatment is the way to read a text or a part of a message. Its syntax says which
//     decoder does that (treatment.go).
//   - The content of a stream is how it is read: its format, shown by its first bytes
//     (recognise.go).
//   - A data format is one that is not text: an archive, or a format that is not read
//     (dataformat.go). Some that are not read are searched as text.
//   - The division of a source is how it can be divided between workers: between lines,
//     between messages, between the records of a web archive, or not at all (options.go).
//
// # From a source to texts
//
//	Open ─► stream ─┬─► its text ──────────────────────────────────────► Next
//	  ▲             ├─► mailbox ─► part ─┬─► its text ─────────────────► Next
//	  │             │                    ├─► mailbox, if it was encoded as a whole
//	  │             │                    └─► attachment ─┐
//	  │             └─► archive ─► member ───────────────┤
//	  └──────────────────────────────────────────────────┘
//
// # The files
//
//	reader.go       Reader: a source is begun; containers are entered and left
//	outermost.go    the outermost stream of a source, begun at its first byte or in the middle
//	stream.go       a stream is its text, or messages, or an archive; its damage and its position
//	mailbox.go      messages, their parts and attachments
//	archive.go      the members of archives
//	recognise.go    what kind of text a stream is, by its first bytes
//	dataformat.go   formats that are not text: archives, and what is not read
//	treatment.go    how a text or a part is decoded
//	text.go         a text is read
//	raw.go          the bytes of a raw stream are read and counted
//	path.go, reports.go, options.go   where the Reader is; damage; options and formats
//
// # Damage
//
// Next returns damage in the order of the source. Reading continues after the text that the damage
// makes unreadable: a part, a member, the rest of a stream. Damage is returned once, by the stream
// at its level. Damage that a decoder has skipped is returned after the part.
//
// # Limits
//
// Containers may be nested up to [compress.Limits].Depth. Each level has a stream. A stream of
// messages has a mail.Reader with 68 KiB, and one more for each encoded message within another. A
// stream that is a zip archive takes 72 KiB, and 132 KiB for deflate. At most 16 warnings are kept
// for a part. A Read of a Text returns once it has met 64 Values, or 16 KiB of them.
//
// # Several workers
//
// Several workers may read one source. [Hooks].OnDivision says how a source can be divided;
// [Outermost.OpenFrom] begins in the middle. [Outermost.Pause] and
// [Outermost.Take] let the caller take stretches of a stream, and [Outermost.OpenBlock] reads one (outermost.go).
//
// The package does not know what a reference is, who reads, or what is printed.
package document
