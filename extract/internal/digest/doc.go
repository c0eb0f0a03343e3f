// Package digest remembers what was read of a stream, in a few hundred bytes, so that a
// later run can detect whether another stream begins with the same bytes.
//
//	var d digest.Digest
//	d.Write(p)                      // for each Read
//	state := d.Append(nil)          // kept from one run to the next
//
//	ok := old.Sampled(file)         // the same file: reads a few blocks of it
//	ok, err := old.Begins(stream)   // another one: reads as many bytes as old has
//
// # Words
//
//   - The sum is a hash of all bytes. It can be continued.
//   - A sample is the hash of a block of 4 KiB. The first sample is of the beginning; the others
//     are at equal distances, which double when there are too many samples. The tail is the last 4
//     KiB.
//
// The sum finds every difference, but needs all bytes. Samples are for a file that is known
// by its device and inode: such a file may have been emptied and rewritten, or overwritten
// in place. Then its beginning and its tail differ from the old ones.
//
// # Limits
//
// A Digest has at most 64 samples, and takes about 5 KiB, or 600 bytes when it is stored without
// the tail: the hash of the tail is enough.
package digest
