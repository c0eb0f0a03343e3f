// Package zipstream reads zip archives from front to back, from anything that can
// be read, without seeking.
//
// An archive (APPNOTE.TXT of PKWARE, section 4.3.6) is a sequence of entries, each
// of a local header, data and sometimes a descriptor, and then a directory of all
// of them:
//
//	PK\3\4 header, name, extra field | data | PK\7\8 CRC, sizes     entry
//	...
//	PK\1\2 header, name, ...                                        directory
//	PK\5\6 counts, comment                                          its end
//
// Other programs find the entries through the directory. This one reads the local
// headers, so that pipes, archives in archives and archives that have lost their
// end can be read. It skips the directory. If another archive follows, as
// after "cat a.zip b.zip", it continues with that.
//
// Where an entry's size stands after it (descriptors are for writers that cannot
// seek) compressed data has an end of its own, and stored data is read until a
// descriptor comes that fits its size.
//
// Damage costs the entry in which it is: the reader tells, and looks for the next
// header. Everything is bounded: a buffer of 64 KiB, in which a header has to fit,
// and the window of the decompressor.
package zipstream
