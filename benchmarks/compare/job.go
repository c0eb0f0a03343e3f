package main

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A job is a command line, or several connected by pipes, that one row measures.
type job struct {
	name   string
	stages []stage
	size   int64 // bytes of text, for speeds; 0 if there is no text
	beside int   // how many copies of the only stage run at the same time when it is measured; or 0

	counts  bool // each line of output is a reference
	reports bool // output is its own time in nanoseconds, and a count
	damaged bool // exit status 2 is expected: real mail has damage, which is reported
	sum     func() hash.Hash
}

// A stage is one process.
type stage struct {
	path string
	args []string
}

// A measure is one run.
type measure struct {
	wall, cpu time.Duration
	peak      int64 // resident bytes of all stages together
}

// errOver says that a run was stopped because it took too long.
var errOver = errors.New("took too long")

// run starts the stages, passes the output of the last stage to read, and waits for all stages. If
// read is nil, the output is discarded: it goes to /dev/zero, because grep recognises /dev/null and
// would stop at the first match. The run ends when ctx is done.
func (j job) run(ctx context.Context, limit time.Duration, read func(io.Reader) error) (m measure, err error) {
	whole := ctx
	ctx, stop := context.WithTimeout(whole, limit)
	defer stop()
	var in, end *os.File // ends of the pipe between a stage and the next
	var cmds []*exec.Cmd
	stages := j.stages
	side := j.beside > 1 && read == nil
	if side {
		stages = slices.Repeat(stages, j.beside)
	}
	start := time.Now()
	for i, s := range stages {
		cmd := exec.CommandContext(ctx, s.path, s.args...)
		// grep is fastest in the C locale, and it makes no difference to the other programs.
		cmd.Env = append(os.Environ(), "LC_ALL=C", "NO_COLOR=1")
		if !j.damaged {
			cmd.Stderr = os.Stderr
		}
		if in != nil {
			cmd.Stdin = in
		}
		var out *os.File
		if end, out, err = outputOf(!side && i < len(stages)-1 || read != nil); err == nil {
			cmd.Stdout = out
			if err = cmd.Start(); err == nil {
				cmds = append(cmds, cmd)
			}
			out.Close()
		}
		if in != nil {
			in.Close() // the child has its own copy; ours would keep the pipe open
		}
		if in = end; err != nil {
			break // the stages in front of it get a closed pipe, and end
		}
	}
	if end != nil {
		if err == nil {
			err = read(end)
		}
		end.Close()
	}
	for _, cmd := range cmds {
		err = errors.Join(err, j.finished(cmd.Wait()))
		m.add(cmd.ProcessState)
	}
	m.wall = time.Since(start)
	if whole.Err() != nil {
		return m, context.Cause(whole)
	}
	if ctx.Err() != nil {
		return m, errOver
	}
	return m, err
}

// outputOf returns what a stage writes to, and the other end of it if that is read.
func outputOf(isRead bool) (end, out *os.File, err error) {
	if isRead {
		return os.Pipe()
	}
	out, err = os.OpenFile("/dev/zero", os.O_WRONLY, 0)
	return nil, out, err
}

// add adds the processor time and the memory of a process of the job.
func (m *measure) add(s *os.ProcessState) {
	m.cpu += s.UserTime() + s.SystemTime()
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		m.peak += u.Maxrss << 10 // Linux counts in KiB
	}
}

// finished returns err, or nil for exit status 1, which means that nothing was found,
// and for exit status 2 if j expects damage.
func (j job) finished(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 2 && j.damaged) {
		return nil
	}
	return err
}

// measure runs j once.
func (j job) measure(ctx context.Context, limit time.Duration) (measure, error) {
	if !j.reports {
		return j.run(ctx, limit, nil)
	}
	var r report
	m, err := j.run(ctx, limit, r.read)
	m.wall, m.cpu = r.took, r.took // it has one thread
	return m, err
}

// counted runs j once and counts its output.
func (j job) counted(ctx context.Context, limit time.Duration) (c count, err error) {
	if j.reports {
		var r report
		_, err := j.run(ctx, limit, r.read)
		return count{all: r.found}, err
	}
	_, err = j.run(ctx, limit, func(out io.Reader) (err error) {
		if j.sum == nil {
			c, err = countLines(out)
			return err
		}
		h := j.sum()
		c, err = countLines(io.TeeReader(out, h))
		c.sum = fmt.Sprintf("%x", h.Sum(nil))
		return err
	})
	return c, err
}

// A report is the output of a job that measures a part of its own work.
type report struct {
	took  time.Duration
	found int64
}

func (r *report) read(out io.Reader) error {
	var ns int64
	if _, err := fmt.Fscan(out, &ns, &r.found); err != nil {
		return fmt.Errorf("its report: %w", err)
	}
	r.took = time.Duration(ns)
	return nil
}

// ownPeak returns the peak of this program's resident memory, or 0 if the system does not report
// it. A child begins as a copy of this program, so its reported peak is never lower.
func ownPeak() int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	var k int64
	fmt.Sscan(rest, &k) // 0 if there is no such line
	return k << 10
}
