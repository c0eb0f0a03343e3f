package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// A hardware describes a machine, for the file name of a record. It does not identify the owner.
type hardware struct {
	cpu   string
	count int
}

// machine returns the model and the number of processors. Only Linux has the model.
func machine() hardware {
	h := hardware{cpu: "unknown " + runtime.GOARCH, count: runtime.NumCPU()}
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return h
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if k, v, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(k) == "model name" {
			h.cpu = strings.TrimSpace(v)
			break
		}
	}
	return h
}

func (h hardware) String() string {
	return fmt.Sprintf("%s, %d processors, %s/%s", h.cpu, h.count, runtime.GOOS, runtime.GOARCH)
}

// slug returns h in a form for file names.
func (h hardware) slug() string {
	name := strings.NewReplacer("(R)", "", "(TM)", "", "CPU", "", "Processor", "", "@", "").Replace(h.cpu)
	return strings.ToLower(strings.Join(strings.Fields(name), "-")) + fmt.Sprintf("-%dcpu", h.count)
}

// revision returns the commit of the module in dir, and whether it was changed.
func revision(dir string) string {
	git := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		b, _ := cmd.Output()
		return strings.TrimSpace(string(b))
	}
	rev := git("rev-parse", "--short", "HEAD")
	if rev == "" {
		return "of no commit"
	}
	if git("status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)*/record/*") != "" { // the record itself does not count as a change
		rev += " with changes"
	}
	return rev
}
