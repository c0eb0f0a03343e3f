package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
)

// A bench is one run of the comparison.
type bench struct {
	config
	ctx context.Context // context of the whole run: done when the run is interrupted
	out io.Writer
	tmp string // a folder that is removed at the end

	sift      tool
	alone     tool // measures decompressing and scanning alone
	haystacks tool // makes the inputs of some sections
	peers     []tool

	section string
	goals   []string // each goal that a table named, and whether it was met
	wrong   []error  // wrong results, which do not stop the run
}

// A section measures one promise and prints its tables.
type section struct {
	name string
	what string
	run  func(*bench) error
}

var sections []section

func init() { // not in the declaration, because the sections use the flag that lists them
	sections = []section{
		{"plain", "one worker over plain text, against the peers; ratio of speeds", measurePlain},
		{"scanner", "the scanner alone over text in memory, against linkify's links(); ratio of speeds", measureScanner},
		{"jsonl", "whole records, all readings and grammars, against text; ratio of times", measureJSONL},
		{"packed", "compressed text, against decompressing alone with the same library; ratio of times", measurePacked},
		{"workers", "one file read by many workers, against one; ratio of speeds", measureWorkers},
		{"spool", "many small files, against the same articles as one mailbox; ratio of speeds", measureSpool},
		{"mail", "the MIME way, one worker; goal in MB of the file per second of processor time", measureMail},
		{"start", "an empty file, in milliseconds", measureStart},
		{"unique", "each URL once (-u), against the same without; ratio of times", measureUnique},
		{"growth", "time against size, one worker; the slope on a log-log paper", measureGrowth},
		{"hostile", "texts made to be slow, one worker, against prose, or mail where they are mail, of the same size; ratio of speeds", measureHostile},
	}
}

func names(all []section) string {
	var s []string
	for _, x := range all {
		s = append(s, x.name)
	}
	return strings.Join(s, ", ")
}

// choose returns the sections in list, which is separated by commas, in the order of the table.
func choose(list string) ([]section, error) {
	if list == "" {
		return sections, nil
	}
	want := strings.Split(list, ",")
	for _, w := range want {
		if !slices.ContainsFunc(sections, func(s section) bool { return s.name == w }) {
			return nil, fmt.Errorf("no section %q; there are %s", w, names(sections))
		}
	}
	var chosen []section
	for _, s := range sections {
		if slices.Contains(want, s.name) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// rounds runs each job once to count, and then all jobs in turns, as often as the flags say. A job
// that exceeds the time limit is not run again: its row has the limit as its time, and results
// computed from it are bounds.
func (b *bench) rounds(jobs []job) ([]row, error) {
	rows := make([]row, len(jobs))
	for i, j := range jobs {
		rows[i].job = j
		var err error
		if rows[i].count, err = j.counted(b.ctx, b.limit); err == errOver {
			rows[i].over = true
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", j.name, err)
		}
	}
	for range b.runs {
		for i := range rows {
			if rows[i].over {
				continue
			}
			m, err := rows[i].job.measure(b.ctx, b.limit)
			if err == errOver {
				rows[i].over = true
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", rows[i].job.name, err)
			}
			rows[i].runs = append(rows[i].runs, m)
		}
	}
	for i := range rows {
		if rows[i].over {
			rows[i].runs = []measure{{wall: b.limit}}
		}
	}
	return rows, nil
}

// note prints a line that is not a row of a table.
func (b *bench) note(format string, a ...any) {
	fmt.Fprintf(b.out, "\n"+format+"\n", a...)
}

// oneProcessor prints a note if the machine has one processor, so that the goals of a section do
// not apply.
func (b *bench) oneProcessor() {
	if runtime.NumCPU() == 1 {
		b.note("This machine has one processor: what is to be gained by a second cannot be seen.")
	}
}

// first returns the input with that name, or else the first input. A section for ordinary prose
// uses any input if there is no prose; its title has the name.
func (b *bench) first(name string) input {
	for _, in := range b.inputs {
		if in.name == name {
			return in
		}
	}
	return b.inputs[0]
}
