package extract_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestBehindProgram reads a zip archive behind a long program. Its directory counts from the archive, or from
// the beginning of the file. Without an end, and with one that leads nowhere, the file is other data, as before.
func TestBehindProgram(t *testing.T) {
	program := append([]byte("\x7fELF\x02\x01\x01\x00"), bytes.Repeat([]byte("\x00code http://code.example/ PK\x03\x04\x00\x00"), 4000)...)
	archive := []byte(zipped("a.txt", "see http://a.example/\n", "b/c.txt", "and http://c.example/\n"))
	end := bytes.LastIndex(archive, []byte("PK\x05\x06"))
	adjusted := bytes.Clone(archive)
	first := int(binary.LittleEndian.Uint32(archive[end+16:]))
	for at := first; bytes.HasPrefix(adjusted[at:], []byte("PK\x01\x02")); {
		e := adjusted[at:]
		binary.LittleEndian.PutUint32(e[42:], binary.LittleEndian.Uint32(e[42:])+uint32(len(program)))
		at += 46 + int(binary.LittleEndian.Uint16(e[28:])) + int(binary.LittleEndian.Uint16(e[30:])) + int(binary.LittleEndian.Uint16(e[32:]))
	}
	binary.LittleEndian.PutUint32(adjusted[end+16:], uint32(first+len(program)))
	astray := bytes.Clone(archive)
	binary.LittleEndian.PutUint32(astray[end+12:], 1<<31)
	commented := append(bytes.Clone(archive), "PK\x05\x06 comment"...)
	binary.LittleEndian.PutUint16(commented[end+20:], uint16(len(commented)-end-22))
	for name, c := range map[string]struct {
		data []byte
		read bool
	}{
		"offsets of the archive": {slices.Concat(program, archive), true},
		"offsets of the file":    {slices.Concat(program, adjusted), true},
		"a comment":              {slices.Concat(program, commented), true},
		"a script":               {slices.Concat([]byte("#!/bin/sh\n"+strings.Repeat("# a line\n", 1000)), archive), true},
		"cut":                    {slices.Concat(program, archive[:len(archive)-1]), false},
		"astray":                 {slices.Concat(program, astray), false},
		"alone":                  {program, false},
		"text":                   {slices.Concat([]byte("Mr. X\n"), program, archive), false},
	} {
		path := filepath.Join(t.TempDir(), "file")
		must(t, os.WriteFile(path, c.data, 0o644))
		found := listAll(extractor(t, extract.Options{}), asFiles(extract.Walk(path)))
		if read := strings.Contains(found, "b/c.txt"); read != c.read || read == strings.Contains(found, "code.example") {
			t.Errorf("%s: read as an archive: %v\n%.600s", name, read, found)
		}
	}
}
