package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// placesOf returns the offsets of the headers and elements of the pages of a state.
func placesOf(state []byte) (list []int) {
	const page, head, element = 4096, 16, 16
	for at := 0; at+page <= len(state); at += page {
		n := head
		switch binary.NativeEndian.Uint16(state[at+8:]) {
		case 1, 2: // a branch and a leaf
			n += element * int(binary.NativeEndian.Uint16(state[at+10:]))
		case 4: // meta
			n += 64
		case 16: // the free pages
			n += 8 * int(binary.NativeEndian.Uint16(state[at+10:]))
		}
		for i := range min(n, page) {
			list = append(list, at+i)
		}
	}
	return list
}

// TestStateFlipped flips single bits of the headers and elements of a state, in the short form some
// and in the long form every eleventh one. The next run must say that the state is damaged, and print
// nothing; or print what is new and nothing else, if the bit is not in use.
func TestStateFlipped(t *testing.T) {
	step := 347
	switch {
	case full:
		step = 11
	case long:
		step = 47
	}
	dir := manyFiles(t, 40)
	if out, said, _ := stateRun(t, dir, "urlsift -u --state s in"); len(out) != 40 || said != "" {
		t.Fatalf("%d URLs, %q", len(out), said)
	}
	stateRun(t, dir, "echo http://b.example/ >in/new")
	good, err := os.ReadFile(filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	places := placesOf(good)
	refused, unused, slowest := 0, 0, time.Duration(0)
	for bit := 0; bit < 8*len(places); bit += step {
		bad, at := bytes.Clone(good), places[bit/8]
		bad[at] ^= 1 << (bit % 8)
		if err := os.WriteFile(filepath.Join(dir, "s"), bad, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		cmd := exec.CommandContext(ctx, built(t), "--settle", "0s", "-u", "--state", "s", "in")
		cmd.Dir = dir
		var out, said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &said
		began := time.Now()
		_ = cmd.Run()
		slowest = max(slowest, time.Since(began))
		cancel()
		switch status := cmd.ProcessState.ExitCode(); {
		case status == 2 && strings.HasPrefix(said.String(), "urlsift: s: the state is damaged: ") && strings.HasSuffix(said.String(), "; s.bak is the copy of the last good one\n") &&
			strings.Count(said.String(), "\n") == 1 && out.Len() == 0:
			refused++
		case status == 0 && out.String() == "http://b.example/\n" && said.Len() == 0:
			unused++
		default:
			t.Errorf("bit %d of byte %d of page %d: status %d, %q, %.300q", bit%8, at%4096, at/4096, status, out.String(), said.String())
		}
	}
	t.Logf("%d flips were refused, %d changed nothing that is in use; the slowest run took %v", refused, unused, slowest)
	if refused < unused {
		t.Errorf("only %d of %d were refused", refused, refused+unused)
	}
}

// TestStateCopyDamaged has a copy that is damaged like the state. No message may advise to use it.
func TestStateCopyDamaged(t *testing.T) {
	dir := t.TempDir()
	stateSays(t, dir, [][2]string{
		{"echo http://a.example/ >a; urlsift --state s a >all; cp s good; printf x | dd of=s bs=1 seek=8200 conv=notrunc status=none; urlsift --state s a", "urlsift: s: the state is damaged: its pages are not as they were written; s.bak is the copy of the last good one\n"},
		{"cp s s.bak; urlsift --state s a", "urlsift: s: the state is damaged: its pages are not as they were written; remove it to read everything again\n"},
		{"urlsift state s", "urlsift: s: the state is damaged: its pages are not as they were written; remove it to read everything again\n"},
		{"urlsift state --forget x s", "urlsift: s: the state is damaged: its pages are not as they were written; remove it to read everything again\n"},
	}, 2)
}

// TestStateDamagedInUse makes a state shorter while a run has it open. The run must end with the
// message, and not with a fault or without an end.
func TestStateDamagedInUse(t *testing.T) {
	for _, line := range []string{": >s", "truncate -s 8192 s", "tr '\\0-\\377' x <s >x; cat x >s"} {
		dir := manyFiles(t, 100)
		if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
			t.Fatal(err)
		}
		stateRun(t, dir, "urlsift --state s in; echo http://a.example/new >in/new")
		out, said, status := stateRun(t, dir, "urlsift --state s pipe in & p=$!; exec 3>pipe; until test -e s.pid; do sleep 0.01; done; "+line+"; exec 3>&-; wait $p")
		if status != 2 || !strings.HasPrefix(said, "urlsift: s: the state is damaged: ") || !strings.Contains(said, "s.bak") || strings.Contains(said, "goroutine") || len(out) > 1 {
			t.Errorf("%s: status %d, %q, %.300q", line, status, out, said)
		}
		if out, said, status := stateRun(t, dir, "cp s.bak s; urlsift --state s in"); status != 0 || len(out) != 1 || said != "" {
			t.Errorf("%s: with the copy: status %d, %q, %q", line, status, out, said)
		}
	}
}

// TestStateTogether starts many first runs at once with one new state: in the long form 600, in
// batches. One of them must find everything. The others must say that the state is in use, or find
// nothing new.
func TestStateTogether(t *testing.T) {
	batches, starts := 2, 20
	if long {
		batches, starts = 15, 40
	}
	sum := map[string]int{}
	for range batches {
		dir := manyFiles(t, 20)
		cmds := make([]*exec.Cmd, starts)
		outs, says := make([]bytes.Buffer, starts), make([]bytes.Buffer, starts)
		for i := range cmds {
			cmds[i] = exec.Command(built(t), "--state", "s", "in")
			cmds[i].Dir, cmds[i].Stdout, cmds[i].Stderr = dir, &outs[i], &says[i]
			if err := cmds[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		all := 0
		for i, cmd := range cmds {
			_ = cmd.Wait()
			out, said, status := strings.Fields(outs[i].String()), says[i].String(), cmd.ProcessState.ExitCode()
			switch {
			case status == 0 && len(out) == 20 && said == "":
				all++
				sum["found everything"]++
			case status == 1 && len(out) == 0 && said == "":
				sum["found nothing new"]++
			case status == 2 && len(out) == 0 && strings.HasPrefix(said, "urlsift: s: in use by another run") && strings.Count(said, "\n") == 1:
				sum["in use"]++
			default:
				t.Errorf("status %d, %d URLs, %.300q", status, len(out), said)
			}
		}
		if all != 1 {
			t.Errorf("%d runs have found everything", all)
		}
		names, _ := filepath.Glob(filepath.Join(dir, "s*"))
		for i := range names {
			names[i] = filepath.Base(names[i])
		}
		if !slices.Equal(names, []string{"s", "s.bak"}) {
			t.Errorf("left are %q", names)
		}
		if out, said, status := stateRun(t, dir, "urlsift --state s in"); status != 1 || said != "" || len(out) > 0 {
			t.Errorf("afterwards: status %d, %q, %d URLs", status, said, len(out))
		}
	}
	t.Logf("%d starts: %v", batches*starts, sum)
}

// TestStateLeftOver has what a killed first run leaves: a FILE.new that is not complete.
func TestStateLeftOver(t *testing.T) {
	stateSteps(t,
		"echo h/a.example/ >a; echo x >s.new; echo keep >other; ln other s.pid; ln other s.bak.new; urlsift --state s a; cat other; ls s*", "h/a.example/ keep s s.bak",
		"stat -c %a s s.bak", "600 600",
	)
}

// TestStateCompanions has links, pipes and folders in the place of the files that belong to a state.
// That must be an error, nothing may be written to where they lead, and nothing may wait.
func TestStateCompanions(t *testing.T) {
	for i, suffix := range []string{".new", ".bak", ".bak.new", ".pid"} {
		for j, make := range []string{"ln -s other s%s", "ln -s missing s%s", "mkfifo s%s", "mkdir s%s"} {
			for k, before := range []string{":", "urlsift --state s a"} {
				if !long && (i+j+k)%2 > 0 {
					continue
				}
				dir := t.TempDir()
				stateRun(t, dir, "echo http://a.example/ >a; echo keep >other; "+before+"; rm -f s.bak; "+fmt.Sprintf(make, suffix))
				began := time.Now()
				out, said, status := stateRun(t, dir, "echo http://b.example/ >>a; timeout 10 urlsift --state s a")
				if want := "urlsift: s" + suffix + ": it is no regular file, as the files of a state have to be\n"; status != 2 || said != want || len(out) > 0 || time.Since(began) > 5*time.Second {
					t.Errorf("%s, %s: status %d, %q, %q", before, fmt.Sprintf(make, suffix), status, out, said)
				}
				if out, _, _ := stateRun(t, dir, "cat other; ls"); !slices.Contains(out, "keep") || slices.Contains(out, "missing") {
					t.Errorf("%s: %q", make, out)
				}
			}
		}
	}
	stateSteps(t,
		"echo h/a.example/ >a; mkfifo pipe; urlsift --state s a; mkfifo s.pid; timeout 5 urlsift state s | tail -n 1 | cut -d, -f1; rm s.pid", "h/a.example/ 1 files",
		"exec 3<>pipe; urlsift --state s pipe & p=$!; until test -e s.pid; do sleep 0.01; done; rm s.pid; mkfifo s.pid; urlsift --state s a 2>&1 | grep -c -e no.regular.file; rm s.pid; kill -9 $p", "1",
	)
}
