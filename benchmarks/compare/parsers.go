package main

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// parsers has our programs that use the libraries for mail. Each prints a line for each part.
//
//go:embed parsers
var parsers embed.FS

const mailParserManifest = `[package]
name = "parse"
version = "0.0.0"
edition = "2021"

[[bin]]
name = "parse"
path = "main.rs"

[dependencies]
mail-parser = "0.9.4"
memchr = "2"

[profile.release]
codegen-units = 1
lto = true
`

// mailParsers returns a job for each library that is there, and prints a note for each other one.
func (b *bench) mailParsers() func(input) []job {
	type parser struct {
		tool, name string
		args       []string
		make       func() (string, error)
	}
	all := []parser{
		{"gmime", "GMime: parses only", []string{"parse", "FILE"}, b.buildGMime},
		{"gmime", "GMime: decodes transfer encodings", []string{"decode", "FILE"}, b.buildGMime},
		{"mail-parser", "mail-parser (Rust): decodes them and charsets", []string{"FILE"}, b.buildMailParser},
		{"go-message", "go-message: decodes them and charsets", []string{"parse", "FILE"}, func() (string, error) { return b.alone.path, nil }},
		{"python3", "email (Python): decodes transfer encodings", []string{filepath.Join(b.tmp, "python.py"), "FILE"}, func() (string, error) {
			if _, err := b.unpackParser("python.py", b.tmp); err != nil {
				return "", err
			}
			return exec.LookPath("python3")
		}},
	}
	var found []parser
	var tools []tool
	for _, p := range all {
		if !b.wanted(p.tool) {
			continue
		}
		path, err := p.make()
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n") // a compiler may print many lines
			b.note("Without %s: %s.", p.name, first)
			continue
		}
		found, tools = append(found, p), append(tools, tool{path: path})
	}
	return func(in input) (jobs []job) {
		for i, p := range found {
			jobs = append(jobs, job{name: p.name, stages: []stage{tools[i].on(in.file, p.args)}, size: in.size, counts: true})
		}
		return jobs
	}
}

// unpackParser writes a program of ours to a folder, and returns its path.
func (b *bench) unpackParser(name, dir string) (string, error) {
	text, err := parsers.ReadFile("parsers/" + name)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	return path, os.WriteFile(path, text, 0o644)
}

// buildGMime returns the program, built with cc and the library that pkg-config finds.
func (b *bench) buildGMime() (string, error) {
	source, err := b.unpackParser("gmime.c", b.tmp)
	if err != nil {
		return "", err
	}
	flags, err := exec.Command("pkg-config", "--cflags", "--libs", "gmime-3.0").Output()
	if err != nil {
		return "", fmt.Errorf("pkg-config gmime-3.0: %w", err)
	}
	path := filepath.Join(b.tmp, "gmime")
	args := append([]string{"-O2", "-o", path, source}, strings.Fields(string(flags))...)
	if text, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building with GMime: %w\n%s", err, text)
	}
	return path, nil
}

// buildMailParser returns the program, built with cargo.
func (b *bench) buildMailParser() (string, error) {
	text, err := parsers.ReadFile("parsers/mail-parser.rs")
	if err != nil {
		return "", err
	}
	return buildRust(filepath.Join(b.tmp, "mail-parser"), "parse", mailParserManifest, string(text))
}

// measureParsers compares urlsift with libraries that parse mail. They do not do the same: a row
// says what is decoded. Only urlsift reads HTML as text and finds references; it decodes no part
// that is not text, and the others decode all parts.
func measureParsers(b *bench) error {
	others := b.mailParsers()
	mailboxes := 0
	for _, in := range b.inputs {
		if !in.mailbox {
			continue
		}
		mailboxes++
		jobs := []job{
			b.urlsift(in, "-j1", "--as", "auto"),
			b.urlsift(in, "-j1", "--as", "auto", "--format", "jsonl"),
		}
		rows, err := b.rounds(append(jobs, others(in)...))
		if err != nil {
			return err
		}
		to := func(r row) ratio { return r.times(rows[0]) }
		b.table(in.String()+"; found: references by urlsift, parts by the others", rows, speedColumns, ratios(to), costColumns, foundColumns[:1])
	}
	if mailboxes == 0 {
		b.note("No input is a mailbox.")
	}
	return nil
}
