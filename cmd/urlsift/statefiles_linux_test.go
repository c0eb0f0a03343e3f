package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// stateSays runs commands in dir. Each is followed by its expected messages and status.
func stateSays(t *testing.T, dir string, steps [][2]string, status int) {
	t.Helper()
	for _, step := range steps {
		if out, said, got := stateRun(t, dir, step[0]); got != status || said != step[1] || status == 2 && len(out) > 0 {
			t.Errorf("%s: status %d, %q, said %q, not %q", step[0], got, out, said, step[1])
		}
	}
}

// TestStateOutput names the state as output, under several names. That must be an error, and the
// state unchanged.
func TestStateOutput(t *testing.T) {
	const into = "urlsift: the output is the file of --state, or belongs to it; choose another output\n"
	dir := t.TempDir()
	stateSays(t, dir, [][2]string{{"echo http://a.example/ >a; urlsift --state s -o s a", into}, {"ln -s s.new early; urlsift --state s -o early a", into}}, 2)
	if names, _ := filepath.Glob(filepath.Join(dir, "s*")); len(names) > 0 {
		t.Errorf("refused, but made %q", names)
	}
	stateRun(t, dir, "urlsift --state s a; ln -s . folder; ln s hard; ln -s s soft; ln -s s.bak.new later; cp s good; cp s.bak good.bak; mkdir sub; ln -s ../s sub/s")
	var steps [][2]string
	for _, out := range strings.Fields("s ./s $PWD/s s.bak s.pid s.new s.bak.new folder/s folder/s.bak.new hard soft later sub/s") {
		steps = append(steps, [2]string{"urlsift --state s -o " + out + " a", into}, [2]string{"urlsift --state sub/s -o " + out + " a", into})
	}
	steps = append(steps, [2]string{"urlsift --state s a >>s", into}, [2]string{"cd sub; urlsift -F --state s -o ../s.bak ../a", into})
	stateSays(t, dir, steps, 2)
	stateSays(t, dir, [][2]string{{"cmp s good && cmp s.bak good.bak && urlsift --state s -o sub/s.bak a; test -f sub/s.bak", ""}}, 0)
}

// TestStateNone passes files that are not states. They must be unchanged, and no message may say
// that they can be removed.
func TestStateNone(t *testing.T) {
	dir := t.TempDir()
	stateSays(t, dir, [][2]string{
		{"urlsift --state - a", "urlsift: --state -: the state has to be a file, and cannot be standard input or output; ./- is a file of that name\n"},
		{"urlsift --state /dev/null a", "urlsift: /dev/null: it is no regular file, as a state has to be\n"},
		{"urlsift --state . a", "urlsift: .: it is no regular file, as a state has to be\n"},
		{"mkfifo pipe; urlsift --state pipe a", "urlsift: pipe: it is no regular file, as a state has to be\n"},
		{"mkdir w; seq -f http://a.example/%.0f 9000 >w/l; echo x >w/short; cp w/l w/was; urlsift --state w/l w", "urlsift: w/l: it is not a state of urlsift\n"},
		{"urlsift --state w/short w", "urlsift: w/short: it is not a state of urlsift\n"},
		{"cp w/l w/l.bak; urlsift --state w/l w", "urlsift: w/l: it is not a state of urlsift\n"},
		{"urlsift state w/l", "urlsift: w/l: it is not a state of urlsift\n"},
		{"urlsift state --forget l w/l", "urlsift: w/l: it is not a state of urlsift\n"},
		{"cmp w/l w/was; >empty; urlsift --state empty w", "urlsift: empty: the state is damaged: it is empty; remove it to read everything again\n"},
		{"urlsift --state s w >all; head -c 80000 /dev/zero >s; urlsift --state s w", "urlsift: s: the state is damaged: its pages are not as they were written; s.bak is the copy of the last good one\n"},
	}, 2)
}

// TestStateLost removes a state of which a copy exists. A warning must name the copy.
func TestStateLost(t *testing.T) {
	dir := t.TempDir()
	stateSays(t, dir, [][2]string{
		{"echo http://a.example/ >a; urlsift --state s a", ""},
		{"rm s; urlsift --state s a", "urlsift: warning: s: there is no such file, so everything is read again; s.bak is a copy of it\n"},
		{"echo http://b.example/ >>a; urlsift --state s a", ""},
	}, 0)
}

// TestStateHeldElsewhere runs the command with a state that another run has open under
// another name. The files of a state are beside the file, and not beside a link to it.
func TestStateHeldElsewhere(t *testing.T) {
	dir := t.TempDir()
	stateSays(t, dir, [][2]string{{"mkdir d; echo http://a.example/ >a; ln -s d/s soft; urlsift --state soft a && ln d/s hard; test -f d/s.bak && test ! -e soft.bak && mkfifo pipe", ""}}, 0)
	cmd := exec.Command(built(t), "--state", "soft", "pipe")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "d", "s.pid")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the first run has not begun")
		}
	}
	for _, name := range []string{"soft", "d/s", "hard"} {
		want := fmt.Sprintf("urlsift: %s: in use by another run (process %d)\n", name, cmd.Process.Pid)
		_, said, status := stateRun(t, dir, "urlsift --state "+name+" a")
		if name == "hard" && !strings.Contains(said, "process") { // a file system whose locks show other device numbers than stat does
			want = "urlsift: hard: in use by another run\n"
		}
		if status != 2 || said != want {
			t.Errorf("%s: status %d, said %q, not %q", name, status, said, want)
		}
	}
}
