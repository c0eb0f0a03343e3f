// Command compare runs urlsift and whatever of its peers is installed over the
// same inputs, in one run, and prints one table:
//
//	go run ./compare [-runs N] [-record] [NAME=]FILE...
//
// The tools take turns (A B C, A B C, …), so that a slow minute of the machine
// falls on all of them. Before that each runs once unmeasured: that brings the
// input into the page cache and counts what the tool finds. urlsift is built
// from the parent folder, xurls from this module; ripgrep, ugrep, grep and wc
// are taken from PATH, and left out where they are not.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"
)

func main() {
	debug.SetGCPercent(10) // see ownPeak
	log.SetFlags(0)
	log.SetPrefix("compare: ")
	var c config
	flag.IntVar(&c.runs, "runs", 5, "measured runs of each tool on each input")
	flag.Int64Var(&c.sample, "sample", 2_000_000, "bytes of each input that the slow tools get")
	flag.StringVar(&c.only, "only", "", "comma-separated names of tools to run besides urlsift; all if empty")
	flag.StringVar(&c.parent, "C", "..", "folder of the urlsift module to build")
	record := flag.Bool("record", false, "also write record/DATE-MACHINE.txt")
	flag.Parse()
	if flag.NArg() == 0 || c.runs < 1 {
		log.Fatal("usage: go run ./compare [-runs N] [-record] [NAME=]FILE...")
	}
	for _, a := range flag.Args() {
		name, file, ok := strings.Cut(a, "=")
		if !ok {
			name, file = filepath.Base(a), a
		}
		c.inputs = append(c.inputs, input{name: name, file: file})
	}

	var out io.Writer = os.Stdout
	if *record {
		name := filepath.Join("record", time.Now().UTC().Format(time.DateOnly)+"-"+machine().slug()+".txt")
		f, err := os.Create(name)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		defer fmt.Fprintln(os.Stderr, "wrote", name)
		out = io.MultiWriter(os.Stdout, f)
	}
	if err := compare(c, out); err != nil {
		log.Fatal(err)
	}
}

// A config is what the flags say.
type config struct {
	runs   int
	sample int64
	only   string
	parent string
	inputs []input
}

// compare builds, runs and reports, input by input, so that a run which is
// stopped has printed what it had.
func compare(c config, out io.Writer) error {
	tmp, err := os.MkdirTemp("", "compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	tools, err := findTools(c, tmp)
	if err != nil {
		return err
	}
	writeHead(out, c, tools)
	for _, in := range c.inputs {
		if err := in.prepare(tmp, c.sample); err != nil {
			return err
		}
		rows := make([]row, len(tools))
		for i, t := range tools {
			rows[i].tool = t
			if rows[i].count, err = t.count(in); err != nil {
				return fmt.Errorf("%s on %s: %w", t.name, in.name, err)
			}
		}
		for range c.runs {
			for i, t := range tools {
				m, err := t.measure(in)
				if err != nil {
					return fmt.Errorf("%s on %s: %w", t.name, in.name, err)
				}
				rows[i].runs = append(rows[i].runs, m)
			}
		}
		writeTable(out, in, rows)
	}
	return nil
}
