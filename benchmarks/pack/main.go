// Command pack writes the compressed and the damaged fixtures of the parent module again:
//
//	go run ./pack ../fixtures
//
// Each of a few files is compressed in every format that urlsift reads. Members and frames are
// divided in the middle of a reference if possible, because a reader is likely to make mistakes
// there. The output depends only on the versions of the compressors in go.mod.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// inputs are the files to be compressed, below the fixtures' folder.
var inputs = []string{
	"text/appendix-e.txt",
	"mail/mime4j/mbox.rlug",
	"logs/apache_combined_first300.log",
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("pack: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./pack FIXTURES")
	}
	if err := pack(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// pack writes FIXTURES/compressed, with its README, and FIXTURES/damaged.
func pack(root string) error {
	for _, name := range inputs {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		base := filepath.Base(name)
		for _, f := range formats {
			b, err := f.encode(text)
			if err != nil {
				return fmt.Errorf("%s%s: %w", base, f.ext, err)
			}
			if err := write(filepath.Join(root, "compressed", base+f.ext), b); err != nil {
				return err
			}
		}
	}
	if err := write(filepath.Join(root, "compressed", "README.md"), readme()); err != nil {
		return err
	}
	return damage(filepath.Join(root, "compressed"), filepath.Join(root, "damaged"))
}

// readme returns the README of FIXTURES/compressed, with a row for each format.
func readme() []byte {
	var b bytes.Buffer
	b.WriteString("# One text, every compression\n" +
		"\n" +
		"`text/appendix-e.txt`, `mail/mime4j/mbox.rlug` and `logs/apache_combined_first300.log` (origins and licences: the READMEs there), each as\n" +
		"\n" +
		"| ending | format | |\n" +
		"| --- | --- | --- |\n")
	for _, f := range formats {
		fmt.Fprintf(&b, "| `%s` | %s | %s", f.ext, f.name, f.about)
		if f.about != "" {
			b.WriteByte(' ')
		}
		b.WriteString("|\n")
	}
	b.WriteString("\n" +
		"Members, streams and frames are cut in the middle of a reference. The results of every file must be those of its text.\n" +
		"\n" +
		"Made by `go run ./pack ../fixtures` in `benchmarks`.\n")
	return b.Bytes()
}

// damages are the ways in which a compressed file is damaged: cut keeps the
// beginning of it, flip changes one byte. Both are given in percent of its length,
// so the place is well inside the file for each version of the compressor.
var damages = []struct {
	from, to  string
	cut, flip int
}{
	{"apache_combined_first300.log.gz", "cut.gz", 60, 0},
	{"apache_combined_first300.log.multi.gz", "cut.multi.gz", 90, 0},
	{"apache_combined_first300.log.multi.gz", "flipped.multi.gz", 0, 80},
	{"apache_combined_first300.log.frames.zst", "cut.frames.zst", 90, 0},
	{"apache_combined_first300.log.frames.zst", "flipped.frames.zst", 0, 80},
	{"apache_combined_first300.log.zst", "flipped.zst", 0, 50},
	{"apache_combined_first300.log.zz", "cut.zz", 60, 0},
	{"apache_combined_first300.log.bz2", "cut.bz2", 60, 0},
	{"apache_combined_first300.log.xz", "cut.xz", 60, 0},
	{"apache_combined_first300.log.lzma", "cut.lzma", 60, 0},
	{"apache_combined_first300.log.lz4", "flipped.lz4", 0, 50},
	{"apache_combined_first300.log.s2", "flipped.s2", 0, 50},
	{"apache_combined_first300.log.sz", "cut.sz", 60, 0},
}

// damage writes damaged copies of the files in folder from to folder to, as damages describes.
func damage(from, to string) error {
	for _, d := range damages {
		b, err := os.ReadFile(filepath.Join(from, d.from))
		if err != nil {
			return err
		}
		if d.cut > 0 {
			b = b[:len(b)*d.cut/100]
		} else {
			b[len(b)*d.flip/100] ^= 0x55
		}
		if err := write(filepath.Join(to, d.to), b); err != nil {
			return err
		}
	}

	// The data is undamaged, but its checksum is wrong.
	b, err := os.ReadFile(filepath.Join(from, "appendix-e.txt.gz"))
	if err != nil {
		return err
	}
	b[len(b)-6] ^= 0x55 // in the CRC-32, which begins eight bytes before the end
	return write(filepath.Join(to, "checksum.gz"), b)
}

func write(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o644)
}
