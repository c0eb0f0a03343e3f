package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A kind is a way to make a file or a folder from a haystack: the same text compressed, divided or
// encoded. The comparison reads it together with the haystack.
type kind struct {
	name string // value of the flag, and suffix of the file
	ext  string
	make func(to string, from io.Reader) error
}

var kinds = []kind{
	{"gz", ".gz", asFile(gzipper)},
	{"zst", ".zst", asFile(zstdder)},
	{"xz", ".xz", asFile(xzer)},
	{"bz2", ".bz2", asFile(bzip2er)},
	{"members", ".members.gz", asFile(inParts(gzipper, memberSize))},
	{"bgzf", ".bgzf.gz", asFile(bgzfer)},
	{"frames", ".frames.zst", asFile(inParts(zstdder, memberSize))},
	{"spool", ".spool", writeSpool},
	{"mbox", ".mbox", writeMailbox},
	{"qp", ".qp.mbox", encodeTo("quoted-printable")},
	{"base64", ".base64.mbox", encodeTo("base64")},
}

// derive makes all kinds in list, which is separated by commas, from each file. It puts them into
// dir and writes their paths to out, one on each line. Files that exist and are newer than their
// haystack are kept.
func derive(out io.Writer, dir, list string, files []string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
		if i < 0 {
			return fmt.Errorf("%q is nothing that could be made", name)
		}
		for _, file := range files {
			to := filepath.Join(dir, filepath.Base(file)+kinds[i].ext)
			if err := kinds[i].derive(to, file); err != nil {
				return fmt.Errorf("%s: %w", to, err)
			}
			fmt.Fprintln(out, to)
		}
	}
	return nil
}

// derive makes one file or folder. It has a temporary name until it is complete, so that a later
// run does not use an incomplete one.
func (k kind) derive(to, file string) error {
	from, err := os.Open(file)
	if err != nil {
		return err
	}
	defer from.Close()
	source, err := from.Stat()
	if err != nil {
		return err
	}
	// For a folder this is the time when its last entry was made.
	if is, err := os.Stat(to); err == nil && !is.ModTime().Before(source.ModTime()) {
		return nil
	}
	fmt.Fprintln(os.Stderr, "haystacks: making", to)
	part := to + ".part"
	if err := errors.Join(os.RemoveAll(part), os.RemoveAll(to)); err != nil {
		return err
	}
	if err := k.make(part, bufio.NewReaderSize(from, 1<<16)); err != nil {
		return err
	}
	return os.Rename(part, to)
}
