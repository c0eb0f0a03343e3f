package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

// quickExit is an option of the race detector. Without it, a command built with the race detector
// sleeps for a second before it exits.
const quickExit = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", quickExit)
	testscript.Main(leaks{m}, map[string]func(){"urlsift": main})
}

// leaks runs the tests, and fails if a goroutine still runs after them.
type leaks struct{ *testing.M }

func (l leaks) Run() int {
	if signal.Ignored(syscall.SIGHUP) { // by nohup; programs that tests start and hang up would ignore it too
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	code := l.M.Run()
	if builtIn != "" {
		os.RemoveAll(builtIn)
	}
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// TestScript runs the scripts in fixtures/cli, which the README there describes.
func TestScript(t *testing.T) {
	fixtures, err := filepath.Abs("../../fixtures")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join(fixtures, "cli"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("FIXTURES", fixtures)
			e.Setenv("GORACE", quickExit)
			if !long && !raceEnabled {
				e.Setenv("GOMAXPROCS", "1") // a short run takes two thirds of the time then
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return raceEnabled, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":    status,
			"stdout-is": stdoutIs,
		},
	})
}

// status runs a command and checks its exit status: status N COMMAND...
func status(ts *testscript.TestScript, not bool, args []string) {
	if not || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var e *exec.ExitError
		if !errors.As(err, &e) {
			ts.Fatalf("%v", err)
		}
		got = e.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, not %d", got, want)
	}
}

// stdoutIs compares standard output with a file, in which "^@" stands for NUL. If "^@" is in front
// of the line end of the file, that line end is not compared.
func stdoutIs(ts *testscript.TestScript, not bool, args []string) {
	if not || len(args) != 1 {
		ts.Fatalf("usage: stdout-is file")
	}
	want, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	text := strings.ReplaceAll(string(want), "^@", "\x00")
	text = strings.ReplaceAll(text, "\x00\n", "\x00")
	if got := ts.ReadFile("stdout"); got != text {
		ts.Fatalf("standard output is\n%q\nnot\n%q", got, text)
	}
}
