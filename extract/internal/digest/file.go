package digest

import "io"

// A File has the digests of a file that may be compressed, from its beginning to where it was read.
type File struct {
	Stored, Text    Digest // of the file, and of its decompressed stream
	In              Reader
	Layers          interface{ Compressions() int } // what decompresses the file
	Compressed      bool                            // the file is compressed
	CompressedKnown bool                            // Compressed is known
}

// Seek continues reading within file; at is the offset of the next byte. r reads the same file.
// Seek returns false if file cannot seek.
func (f *File) Seek(file io.Seeker, r io.Reader, at int64) bool {
	_, err := file.Seek(at, io.SeekStart)
	f.In = Reader{R: r, At: at, Sum: &f.Stored}
	return err == nil
}

// NoteCompression records whether the file is compressed. Its decompressed stream is open.
func (f *File) NoteCompression() {
	if !f.CompressedKnown {
		f.Compressed, f.CompressedKnown = f.Layers.Compressions() > 0, true
	}
}

// TapText adds p to the digest of the decompressed stream; at is the offset of p in that stream.
func (f *File) TapText(at int64, p []byte) {
	if f.NoteCompression(); f.Compressed {
		f.Text.Reread(at, p)
	}
}
