package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// linkifyMain is our program that uses linkify. cargo downloads the library into a folder that is
// removed at the end.
//
//go:embed linkify.rs
var linkifyMain string

const linkifyManifest = `[package]
name = "alone"
version = "0.0.0"
edition = "2021"

[[bin]]
name = "alone"
path = "main.rs"

[dependencies]
linkify = "0.11.0"

[profile.release]
codegen-units = 1
lto = true
`

// buildRust returns the program of this manifest and source, built with cargo in the folder dir.
func buildRust(dir, name, manifest, source string) (path string, err error) {
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for name, text := range map[string]string{"Cargo.toml": manifest, "main.rs": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.Command(cargo, "build", "--quiet", "--release", "--target-dir", "target")
	cmd.Dir = dir
	if b, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s with cargo: %w\n%s", filepath.Base(dir), err, b)
	}
	return filepath.Join(dir, "target", "release", name), nil
}

// measureScanner compares delimit with linkify on text in memory. Each program reads the file and
// then measures the second of two passes itself. In the first pass the system still has to provide
// memory.
func measureScanner(b *bench) error {
	linkify := ""
	if b.wanted("linkify") {
		var err error
		if linkify, err = buildRust(filepath.Join(b.tmp, "linkify"), "alone", linkifyManifest, linkifyMain); err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n") // a compiler may print many lines
			b.note("Without linkify: %s.", first)
		}
	}
	for _, in := range b.inputs {
		jobs := []job{{name: "delimit.Scanner", stages: []stage{b.alone.on(in.file, []string{"scan", "FILE"})}}}
		if linkify != "" {
			jobs = append(jobs, job{name: "linkify 0.11 links()", stages: []stage{{linkify, []string{in.file}}}})
		}
		for i := range jobs {
			jobs[i].size, jobs[i].counts, jobs[i].reports = in.size, true, true
		}
		rows, err := b.rounds(jobs)
		if err != nil {
			return err
		}
		last := rows[len(rows)-1]
		to := func(r row) ratio { return r.speeds(last) }
		if linkify != "" {
			rows[0].goal = atLeast(in.name+": scanner's speed to that of linkify", 1, to(rows[0]).median)
		}
		b.table(in.String(), rows, speedColumns, ratios(to), []column{goalColumn}, foundColumns[:1])
	}
	return nil
}
