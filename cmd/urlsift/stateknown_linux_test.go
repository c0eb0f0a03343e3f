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

// TestStateStdin reads files through names that stand for another file in each run.
func TestStateStdin(t *testing.T) {
	stateSteps(t,
		"echo h/a.example/ >a; echo h/b.example/ >b; ln -s /dev/stdin in; touch -d '1 hour ago' a b", "",
		"for f in /dev/stdin /dev/fd/0 in; do for i in a a b; do urlsift --state s $f <$i; done; done",
		strings.Repeat("h/a.example/ h/a.example/ h/b.example/ ", 3),
		"urlsift state s | cut -d' ' -f1,2; urlsift --state s a", "0 files, h/a.example/",
		"urlsift -F /dev/stdin <a 2>&1 & sleep 2; kill $!; wait", "urlsift: /dev/stdin: open: is no file and no folder, and cannot be followed",
	)
}

// TestStateOutputs kills a run before it has saved what is in its output. The next run writes
// to another one; the first has each URL once all the same when it is used again.
func TestStateOutputs(t *testing.T) {
	stateSteps(t,
		"for i in a b c; do echo h/$i.example/ >$i; done; touch -d '1 hour ago' a b c; mkfifo pipe; urlsift --state s -o A a; cat A", "h/a.example/",
		"exec 3<>pipe; urlsift --state s -o ./A b pipe & p=$!; until grep -q b A; do sleep 0.02; done; kill -9 $p; cat A", "h/a.example/ h/b.example/",
		"urlsift --state s -o B a b; cat B", "h/b.example/",
		"mkdir sub; cd sub; urlsift --state ../s -o ../A ../a ../b ../c; cat ../A", "h/a.example/ h/c.example/",
		"echo more >>A; urlsift --state s -o A a b c; cat A", "h/a.example/ h/c.example/ more",
	)
}

// TestStateForm adds records of another form to an output: that is refused, and nothing is
// lost. A table has one header.
func TestStateForm(t *testing.T) {
	stateSteps(t,
		"for i in a b c; do echo h/$i.example/ >$i; done; urlsift --state s --format csv -o T --fields url a; cat T", "url h/a.example/",
		"for flags in '--fields url,host --format csv' '--format jsonl'; do urlsift --state s -o T $flags b 2>&1; echo $?; done | grep -c -e other.output -e ^2", "4",
		"urlsift --state s --format csv -o T --fields url b; cat T", "url h/a.example/ h/b.example/",
		">T; urlsift --state s --format csv -o T --fields host,line c; cat T", "host,line c.example,1",
	)
}

// TestStateLink has a link as state, to a file that is not there at first.
func TestStateLink(t *testing.T) {
	stateSteps(t,
		"mkdir sub; ln -s sub/a s; ln -s real sub/a; echo h/a.example/ >a; urlsift --state s a", "h/a.example/",
		"urlsift --state s a; urlsift --state sub/real a; test -L s && echo link", "link",
	)
}
