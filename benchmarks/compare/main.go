// Command compare measures all that urlsift promises about speed, together with similar programs
// that are installed, and prints one table in sections:
//
//	go run ./compare [-only SECTION,...] [-record] [NAME=]FILE...
//
// The programs that a section compares take turns (A B C, A B C, …), so that a slow minute of the
// machine affects all of them. Before that, each runs once unmeasured, which brings its input into
// the page cache and counts its results. README.md describes what is measured and how to read the
// tables.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

func main() {
	debug.SetGCPercent(10) // see ownPeak
	log.SetFlags(0)
	log.SetPrefix("compare: ")
	var c config
	flag.IntVar(&c.runs, "runs", 7, "measured runs of each row")
	flag.StringVar(&c.only, "only", "", "comma-separated sections; all if empty: "+names(sections))
	flag.StringVar(&c.tools, "tools", "", "comma-separated names of peers; all that are installed if empty")
	flag.Int64Var(&c.sample, "sample", 2_000_000, "bytes of each input that xurls gets, which is slow")
	flag.StringVar(&c.parent, "C", "..", "folder of the urlsift module whose command is built")
	flag.StringVar(&c.data, "data", "", "folder for what is made of the inputs; .made beside each if empty")
	flag.IntVar(&c.workers, "j", 2, "workers, where several are compared with one")
	flag.Int64Var(&c.growth, "growth", 1024, "greatest size in MB of section growth; 4096 is the whole of it")
	flag.Int64Var(&c.hostile, "hostile", 64, "size in MB of each input of section hostile")
	flag.DurationVar(&c.limit, "limit", time.Minute, "a run that takes longer is stopped")
	record := flag.Bool("record", false, "also write record/DATE-MACHINE.txt")
	flag.Parse()
	chosen, err := choose(c.only)
	if err != nil {
		log.Fatal(err)
	}
	if flag.NArg() == 0 || c.runs < 1 || c.growth < 1 || c.hostile < 1 {
		log.Fatal("usage: go run ./compare [-only SECTION,...] [-runs N] [-record] [NAME=]FILE...")
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
		name := time.Now().UTC().Format(time.DateOnly) + "-" + machine().slug()
		if c.only != "" {
			name += "-" + strings.ReplaceAll(c.only, ",", "-")
		}
		name = filepath.Join("record", name+".txt")
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			log.Fatal(err) // the record exists already, and records are never changed
		}
		defer f.Close()
		defer fmt.Fprintln(os.Stderr, "wrote", name)
		out = io.MultiWriter(os.Stdout, f)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := compare(ctx, c, chosen, out); err != nil {
		log.Fatal(err)
	}
}

// compare runs the sections. Each section prints its tables at once, so an interrupted run has
// printed the tables that were complete. It leaves no files. Failures are reported at the end.
func compare(ctx context.Context, c config, chosen []section, out io.Writer) error {
	tmp, err := os.MkdirTemp("", "compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	b := &bench{ctx: ctx, config: c, out: out, tmp: tmp}
	if err := b.build(); err != nil {
		return err
	}
	for i := range b.inputs {
		if err := b.inputs[i].prepare(); err != nil {
			return err
		}
	}
	b.writeHead()
	for _, s := range chosen {
		b.section = s.name
		fmt.Fprintf(out, "\n== %s: %s\n", s.name, s.what)
		if err := s.run(b); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	b.writeGoals()
	return errors.Join(b.wrong...)
}
