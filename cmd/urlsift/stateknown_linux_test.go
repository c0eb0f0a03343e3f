package main

import (
	"slices"
	"strings"
	"testing"
)

// stateSteps runs commands in a new folder, in pairs with what they print, in any order.
// In these, h/ stands for http://, so that a line is short.
func stateSteps(t *testing.T, steps ...string) {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(steps); i += 2 {
		out, said, _ := stateRun(t, dir, strings.ReplaceAll(steps[i], "h/", "http://"))
		want := strings.Fields(strings.ReplaceAll(steps[i+1], "h/", "http://"))
		slices.Sort(out)
		if slices.Sort(want); !slices.Equal(out, want) || said != "" {
			t.Fatalf("%s\nprinted %q, not %q; %s", steps[i], out, want, said)
		}
	}
}

// TestStateNames reads files of one name in several folders: each is a file of its own, as
// long as the others are there, and has the same name in the state from wherever it is read.
func TestStateNames(t *testing.T) {
	stateSteps(t,
		"mkdir A B; echo h/a.example/ | tee A/a >B/a; cd A; urlsift --state ../s a", "h/a.example/",
		"cd B; urlsift --state ../s a", "h/a.example/",
		"urlsift --state s A/a $PWD/B/a B/../B/a; ln -s A C; cd C; urlsift --state ../s a", "",
		"mkdir D; cp A/a D/a; gzip D/a; urlsift --state s D", "h/a.example/",
		"mkdir E; mv B/a E/a; urlsift --state s A B D E", "",
		"cd E; urlsift -H --state ../s --settle 0s a; echo h/b.example/ >>a; urlsift -H --state ../s ./a", "./a:h/b.example/",
	)
	stateSteps(t,
		"mkdir -p in/A/x in/B/x; for f in in/A/x/a in/B/x/a in/a; do echo h/$f/ >$f; done; urlsift --state s in", "h/in/A/x/a/ h/in/B/x/a/ h/in/a/",
		"cd in/A; urlsift state --forget 'x/*' ../../s; urlsift --state ../../s ..", "1 forgotten h/in/A/x/a/",
		"cd in/A; urlsift state --forget '../B/**' ../../s; urlsift --state ../../s ..", "1 forgotten h/in/B/x/a/",
		"urlsift state --forget a s; urlsift --state s in", "3 forgotten h/in/A/x/a/ h/in/B/x/a/ h/in/a/",
		"urlsift state --forget $PWD/in/a s; urlsift state --forget 'B/*' s; urlsift --state s in", "1 forgotten h/in/a/",
	)
}

// TestStateOwnFiles searches a folder with the state in it, and with what a run that was
// killed may have left of it.
func TestStateOwnFiles(t *testing.T) {
	stateSteps(t,
		"echo h/a.example/ >a; urlsift --state s .", "h/a.example/",
		"for f in s.new s.bak.new s.pid; do echo h/$f/ >$f; done; echo h/other/ >s.other; urlsift --state s .", "h/other/",
	)
}
