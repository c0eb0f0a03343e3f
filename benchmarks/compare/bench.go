package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A config has the values of the flags.
type config struct {
	runs    int
	only    string
	tools   string
	sample  int64
	parent  string
	data    string
	workers int
	growth  int64 // MB
	hostile int64 // MB
	limit   time.Duration
	inputs  []input
}

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
	missing   []string // programs that are not installed

	section string
	goals   []string // each goal that a table named, and whether it was met
	wrong   []error  // wrong results, which do not stop the run
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

// made returns the file or folder of the given kind (compressed, cut ...) that is made from in. It
// is made once, and then kept. A separate program makes it, so that this program needs no memory
// for that; see [ownPeak].
func (b *bench) made(kind string, in input) (input, error) {
	dir := b.data
	if dir == "" {
		dir = filepath.Join(filepath.Dir(in.file), ".made")
	}
	cmd := exec.Command(b.haystacks.path, "-o", dir, "-make", kind, in.file)
	cmd.Stderr = os.Stderr
	path, err := cmd.Output()
	if err != nil {
		return in, fmt.Errorf("making %s of %s: %w", kind, in.name, err)
	}
	in.file = strings.TrimSpace(string(path))
	return in, nil
}
