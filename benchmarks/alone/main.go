// Command alone does one part of urlsift's work and nothing else, so that
// the comparison shows how long that part takes:
//
//	alone unpack FILE   decompresses gzip or zstd, one goroutine, and discards the text
//	alone scan FILE     scans FILE, held in memory, twice; prints how many
//	                    nanoseconds the second time took and what it found
//	alone parse FILE    parses the messages of a mailbox with go-message, which decodes transfer
//	                    encodings and charsets, and prints the length of each part
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/delimit"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("alone: ")
	if len(os.Args) != 3 {
		log.Fatal("usage: alone unpack|scan|parse FILE")
	}
	var err error
	switch os.Args[1] {
	case "unpack":
		err = unpack(os.Args[2])
	case "scan":
		err = scan(os.Args[2])
	case "parse":
		err = parse(os.Stdout, os.Args[2])
	default:
		err = fmt.Errorf("%q is none of unpack, scan, parse", os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}

// unpack reads a compressed file 128 KiB at a time, like a pipeline, with
// github.com/klauspost/compress. The options for zstd are those of urlsift.
func unpack(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 128<<10)
	magic, err := in.Peek(2)
	if err != nil {
		return err
	}
	var text io.Reader
	if strings.HasPrefix(string(magic), "\x1f\x8b") {
		text, err = gzip.NewReader(in)
	} else {
		var z *zstd.Decoder
		if z, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true)); err == nil {
			defer z.Close()
			text = z
		}
	}
	if err != nil {
		return err
	}
	buf := make([]byte, 128<<10)
	for {
		if _, err := text.Read(buf); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// scan first reads the whole file, because it measures the scanner and not the disk. It counts no
// lines, like the program that it is compared with.
func scan(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	s := delimit.NewScanner(nil, delimit.Options{NoLines: true})
	var took time.Duration
	found := 0
	for range 2 {
		s.ResetBytes(text)
		start := time.Now()
		var c delimit.Candidate
		for found = 0; ; found++ {
			if err := s.Next(&c); err == io.EOF {
				break
			} else if err != nil {
				return err
			}
		}
		took = time.Since(start)
	}
	fmt.Println(took.Nanoseconds(), found)
	return nil
}

// parse holds the file in memory, because the library reads one message. What it cannot parse is
// not counted.
func parse(w io.Writer, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	part := func(_ []int, part *message.Entity, err error) error {
		if part == nil {
			return nil
		}
		n := int64(0)
		if part.MultipartReader() == nil {
			n, _ = io.Copy(io.Discard, part.Body) // what is in front of damage counts
		}
		fmt.Fprintln(out, n)
		return nil
	}
	for len(text) > 0 {
		one := text
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte("\nFrom "))
			if i < 0 {
				text = nil
				break
			}
			if at += i + 1; bytes.HasSuffix(text[:at], []byte("\n\n")) || bytes.HasSuffix(text[:at], []byte("\n\r\n")) {
				one, text = text[:at], text[at:]
				break
			}
		}
		_, one, _ = bytes.Cut(one, []byte("\n")) // the From_ line, which is no header field
		if m, _ := message.Read(bytes.NewReader(one)); m != nil {
			m.Walk(part) // what it returns is that the rest of the message is damaged
		}
	}
	return out.Flush()
}
