// Package zipstream reads zip archives from front to back, without seeking.
//
//	var r zipstream.Reader
//	r.Reset(in) // a *bufio.Reader at the first local header
//	for {
//		entry, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		...                      // a *damage.Damage: report it and go on
//		fmt.Println(entry.Name)
//		io.Copy(out, &r)         // or nothing: Next skips the data
//	}
//
// # Vocabulary
//
// An archive (APPNOTE.TXT of PKWARE, section 4.3.6) is a sequence of entries and then a
// directory of all of them. An entry is a local header, data, and sometimes a descriptor:
//
//	PK\3\4 header, name, extra field | data | PK\7\8 CRC, sizes     entry
//	...
//	PK\1\2 header, name, ...                                        directory
//	PK\5\6 counts, comment                                          its end
//
// Other programs find the entries through the directory. This package reads the local
// headers instead, and skips the directory. So it can read pipes, archives in archives, and
// archives that have lost their end. If another archive follows, as after
// "cat a.zip b.zip", it is read too.
//
// A program that cannot seek writes the size of an entry into a descriptor after the data.
// Compressed data marks its own end. Stored data is then read until a descriptor with the
// right size comes.
//
// A name is UTF-8 if a flag says so. Without the flag it is in code page 437 by the specification, but
// many programs write UTF-8 there, so what is valid UTF-8 is read as that.
//
// # Why not archive/zip
//
// NewReader of archive/zip (Go 1.26) needs an io.ReaderAt and the size, since it begins
// with the directory at the end: it cannot read a pipe or an archive within a compressed
// stream, and it opens no archive whose end is lost. It keeps the whole directory in
// memory.
//
// # Limits
//
// Damage costs only the entry in which it is: Next returns a *damage.Damage, and the next
// call searches for a header. A Reader has a buffer of 64 KiB, in which a header must fit,
// and the window of the decompressor. Nothing grows with the input.
package zipstream
