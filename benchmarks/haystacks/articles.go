package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
)

// A spool has at most this many articles, in folders of this many. Listings are short then, as on
// news servers.
const (
	mostArticles = 100_000
	inFolder     = 1000
)

// articles divides a text into articles. An article begins after a blank line, with one of the
// fields that archives put first and a second field in the next line. The slice is valid until the
// next iteration. An article is held in memory, and one of more than 16 MiB is an error.
func articles(from io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		s := bufio.NewScanner(from)
		s.Buffer(nil, 16<<20)
		s.Split(splitArticle)
		for n := 0; n < mostArticles && s.Scan(); n++ {
			if !yield(s.Bytes(), nil) {
				return
			}
		}
		if err := s.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// splitArticle is a [bufio.SplitFunc]. Each call scans the buffer from the beginning. The size of
// the buffer doubles, so an article is scanned about twice.
func splitArticle(data []byte, atEOF bool) (int, []byte, error) {
	for i := 0; ; { // i only grows
		k := bytes.Index(data[i:], []byte("\n\n"))
		if k < 0 {
			break
		}
		i += k + 1 // stay at the blank line, so that each of three line ends is tried
		if beginsArticle(data[i+1:]) {
			return i + 1, data[:i+1], nil
		}
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// beginsArticle reports whether b begins with two header fields, the first of which is one that
// articles begin with.
func beginsArticle(b []byte) bool {
	line, rest, _ := bytes.Cut(b, []byte("\n"))
	name, _, ok := bytes.Cut(line, []byte(": "))
	if !ok {
		return false
	}
	// Paragraphs often begin with "Re: " or "Note: ", so only some names are accepted.
	switch string(name) {
	case "From", "Path", "Newsgroups", "Subject", "Message-ID", "Xref":
	default:
		return false
	}
	line, _, ended := bytes.Cut(rest, []byte("\n"))
	name, _, ok = bytes.Cut(line, []byte(": "))
	return ended && ok && len(name) > 0 && bytes.IndexByte(name, ' ') < 0
}

// writeSpool makes a folder of articles, one a file: 0/0, 0/1, …
func writeSpool(to string, from io.Reader) error {
	n := 0
	for a, err := range articles(from) {
		if err != nil {
			return err
		}
		folder := filepath.Join(to, fmt.Sprint(n/inFolder))
		if n%inFolder == 0 {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(n%inFolder)), a, 0o644); err != nil {
			return err
		}
		n++
	}
	if n < 2 {
		return errors.New("no articles in it")
	}
	return nil
}

// writeMailbox makes one file of the same articles.
func writeMailbox(to string, from io.Reader) error {
	return create(to, func(w io.Writer) error {
		for a, err := range articles(from) {
			if err != nil {
				return err
			}
			if err := writeMessage(w, a); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeMessage writes a message in the mboxrd format: a From_ line in front, a blank line after it,
// and another ">" in front of each line that begins with "From " after any number of ">".
func writeMessage(w io.Writer, message []byte) error {
	if _, err := io.WriteString(w, "From - Thu Jan  1 00:00:00 1970\n"); err != nil {
		return err
	}
	for line := range bytes.Lines(message) {
		if bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From ")) {
			line = append([]byte(">"), line...)
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	end := "\n"
	if !bytes.HasSuffix(message, []byte("\n")) {
		end = "\n\n"
	}
	_, err := io.WriteString(w, end)
	return err
}
