package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// stateSteps runs commands in a new folder. Each is followed by its expected output, in any order.
// h/ stands for http://.
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

// TestStateNames reads files with the same name in several folders. Each is a separate file as long
// as the others exist. Its name in the state must not depend on the working directory.
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

// TestStateOwnFiles searches a folder that contains the state, and the temporary files of a killed
// run. None of these may be read.
func TestStateOwnFiles(t *testing.T) {
	stateSteps(t,
		"echo h/a.example/ >a; urlsift --state s .", "h/a.example/",
		"for f in s.new s.bak.new s.pid; do echo h/$f/ >$f; done; echo h/other/ >s.other; urlsift --state s .", "h/other/",
	)
}

// TestStateStdin reads files through names, like /dev/stdin, that mean another file in each run.
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
// to another output. When the first output is used again, it must have each URL once.
func TestStateOutputs(t *testing.T) {
	stateSteps(t,
		"for i in a b c; do echo h/$i.example/ >$i; done; touch -d '1 hour ago' a b c; mkfifo pipe; urlsift --state s -o A a; cat A", "h/a.example/",
		"exec 3<>pipe; urlsift --state s -o ./A b pipe & p=$!; until grep -q b A; do sleep 0.02; done; kill -9 $p; cat A", "h/a.example/ h/b.example/",
		"urlsift --state s -o B a b; cat B", "h/b.example/",
		"mkdir sub; cd sub; urlsift --state ../s -o ../A ../a ../b ../c; cat ../A", "h/a.example/ h/c.example/",
		"echo more >>A; urlsift --state s -o A a b c; cat A", "h/a.example/ h/c.example/ more",
	)
}

// TestStateUnended appends to outputs whose last line has no end, because an earlier run was killed
// or a person has edited it. The first new record must begin a new line, also in other formats.
func TestStateUnended(t *testing.T) {
	stateSteps(t,
		"for i in a b c d; do echo h/$i.example/ >$i; done; printf h/killed >A; urlsift --state s -o A a; cat A", "h/killed h/a.example/",
		"printf h/edited >>A; urlsift --state s -o A b c; urlsift --state s -o A d; cat A", "h/killed h/a.example/ h/edited h/b.example/ h/c.example/ h/d.example/",
		"urlsift --state s -o A d; grep -c ^$ A", "0",
		"printf x >N; urlsift --state n -0 -o N a; urlsift --state n -0 -o N b; tr '\\0' ' ' <N", "x h/a.example/ h/b.example/",
		`printf '{"url' >J; urlsift --state j --format jsonl -o J a; tail -n 1 J | grep -c '^{.*}$'; wc -l <J`, "1 2",
		"printf a,b >C; urlsift --state k --format csv --fields url,host -o C a; cat C", "a,b h/a.example/,a.example",
	)
}

// TestStateForm appends records in another format to an output. That must be an error, and nothing
// may be lost. A table must have one header.
func TestStateForm(t *testing.T) {
	stateSteps(t,
		"for i in a b c; do echo h/$i.example/ >$i; done; urlsift --state s --format csv -o T --fields url a; cat T", "url h/a.example/",
		"for flags in '--fields url,host --format csv' '--format jsonl'; do urlsift --state s -o T $flags b 2>&1; echo $?; done | grep -c -e other.output -e ^2", "4",
		"urlsift --state s --format csv -o T --fields url b; cat T", "url h/a.example/ h/b.example/",
		">T; urlsift --state s --format csv -o T --fields host,line c; cat T", "host,line c.example,1",
	)
}

// TestStateLink uses a symbolic link as state. The file that it points to does not exist at first.
func TestStateLink(t *testing.T) {
	stateSteps(t,
		"mkdir sub; ln -s sub/a s; ln -s real sub/a; echo h/a.example/ >a; urlsift --state s a", "h/a.example/",
		"urlsift --state s a; urlsift --state sub/real a; test -L s && echo link", "link",
	)
}

// TestStateFlags reads growing files with different flags in each run. The new flags must apply
// only to the new text, in short and long files, and in formats that are read again from their
// beginning.
func TestStateFlags(t *testing.T) {
	const old = "for f in short long page.html mail box.tar; do urlsift --state s --refused $f; done | sort -u"
	stateSteps(t,
		"echo 'see h/a.example/1 urn:x:y and mailto:a@b.example' | tee short >long; yes 'h/l.example/ and more' | head -n 30000 >>long; touch empty; "+
			"echo '<html><a href=h/a.example/1>x</a> <a href=\"h/a b\">y</a> urn:x:y' >page.html; tar cf box.tar short empty; "+
			"printf 'From a@b.example Mon Nov 23 00:10:00 2026\nSubject: x\nFrom: a@b.example\n\nh/a.example/1 urn:x:y\n' >mail; "+
			"touch -d '1 hour ago' *; for f in short long page.html mail box.tar; do urlsift --grammar url-1994 --state s $f; done | sort -u", "h/a.example/1 h/l.example/ mailto:a@b.example",
		"touch -d '30 minutes ago' short long page.html mail box.tar; "+old, "",
		"for f in short long page.html mail; do echo 'h/b.example/2 urn:x:z' >>$f; done; echo h/b.example/2 urn:x:z >new; tar rf box.tar new; "+
			"touch -d '20 minutes ago' short long page.html mail box.tar; for f in short long page.html mail box.tar; do urlsift --state s $f | tr '\n' ' '; done",
		strings.Repeat("h/b.example/2 urn:x:z ", 5),
		"touch -d '10 minutes ago' short long page.html mail box.tar; "+old+"; urlsift --state s short long page.html mail box.tar", "",
		"printf 'h/c.example/' >>short; touch -d '9 minutes ago' short; urlsift --state s short", "h/c.example/",
		"echo d >>short; touch -d '8 minutes ago' short; urlsift --grammar url-1994 --state s short", "h/c.example/d",
		"printf HTTP://D.example:80 >>short; touch -d '7 minutes ago' short; urlsift --state s short", "HTTP://D.example:80",
		"echo >>short; touch -d '6 minutes ago' short; urlsift --normalize --state s short", "",
		"printf HTTP://E.example:80 >>short; touch -d '5 minutes ago' short; urlsift --normalize --state s short", "h/e.example",
		"echo >>short; touch -d '4 minutes ago' short; urlsift --state s short", "",
	)
}

// TestStateReading reads unchanged files again with flags that change how they are read.
func TestStateReading(t *testing.T) {
	stateSteps(t,
		"echo '<html><a href=\"h/a.example/?a&amp;b\">x</a>' >a; touch -d '1 hour ago' a; urlsift --state s a", "h/a.example/?a&b",
		"urlsift --state s --as plain a", "h/a.example/?a&amp;b",
		"urlsift --state s --as plain a", "",
		"cp a a.1; rm a; gzip a.1; touch -d '1 hour ago' a.1.gz; urlsift --state s --as html a.1.gz", "h/a.example/?a&b",
	)
}

// TestStateArchives adds members to archives. In tar archives, only the new members are read.
func TestStateArchives(t *testing.T) {
	stateSteps(t,
		"for i in 1 2 3 4; do echo h/$i.example/ >$i; done; tar cf x.tar 1; tar cb 2048 -f y.tar 1; touch -d '1 hour ago' *.tar; urlsift --state s *.tar", "h/1.example/ h/1.example/",
		"for x in x y; do tar rf $x.tar 2 3; done; touch -d '50 minutes ago' *.tar; urlsift -H --state s *.tar", "x.tar!2:h/2.example/ x.tar!3:h/3.example/ y.tar!2:h/2.example/ y.tar!3:h/3.example/",
		"touch -d '40 minutes ago' *.tar; urlsift --state s *.tar", "",
		"mv x.tar x.tar.1; gzip x.tar.1; tar rf y.tar 4; touch -d '30 minutes ago' x* y*; urlsift --state s .", "h/1.example/ h/2.example/ h/3.example/ h/4.example/ h/4.example/",
	)
}

// TestStateDamage reports an error in a file once, also if the file was touched or has grown.
func TestStateDamage(t *testing.T) {
	stateSteps(t,
		"seq -f h/a.example/%.0f 9 | gzip | head -c 40 >a.gz; printf 'From a@b.example Mon Nov 23 00:10:00 2026\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"+
			"--x\nContent-Transfer-Encoding: base64\n\n!!!!!\nh/b.example/\n--x--\n' >b; "+
			"touch -d '1 hour ago' a.gz b; urlsift --strict --state s a.gz b 2>&1 >/dev/null | cut -c 10-14 | sort", "a.gz: b#1[1",
		"touch -d '50 minutes ago' a.gz b; urlsift --strict --state s a.gz b; echo $?", "1",
		"printf 'From a@b.example Mon Nov 23 00:10:00 2026\n\nh/b.example/2' >>b; touch -d '40 minutes ago' b; urlsift --strict --state s a.gz b; echo $?", "h/b.example/2 0",
		"head -c 70 /dev/zero >>a.gz; touch -d '40 minutes ago' a.gz; urlsift --state s a.gz 2>&1 >/dev/null | cut -c 10-14", "a.gz:",
	)
}

// TestStateCompressedAgain compresses a file again into the inode that it has, and compresses files
// into the inodes of one another.
func TestStateCompressedAgain(t *testing.T) {
	stateSteps(t,
		"(echo h/a.example/; seq 9999) >a; gzip -9 a; touch -d '1 hour ago' a.gz; urlsift --state s a.gz", "h/a.example/",
		"gunzip -c a.gz | gzip -1 >new; cat new >a.gz; touch -d '50 minutes ago' a.gz; urlsift --state s a.gz", "",
		"(gunzip -c a.gz; echo h/b.example/) | gzip -1 >new; cat new >a.gz; touch -d '40 minutes ago' a.gz; urlsift --state s a.gz", "h/b.example/",
		"echo h/x.example/ >log.1; touch -d '1 hour ago' log.1; urlsift --state s log.1", "h/x.example/",
		"gzip -c log.1 >new; cat new >log.1; mv log.1 log.1.gz; touch -d '1 hour ago' log.1.gz; urlsift --state s log.1.gz", "",
	)
}

// TestStateManyLogs rotates and compresses more logs of one name than the command compares one by
// one: with different texts, with equal beginnings, and in several folders.
func TestStateManyLogs(t *testing.T) {
	logs := 100
	if !long {
		logs = 30
	}
	count := strconv.Itoa(logs)
	stateSteps(t,
		"mkdir a b; for i in $(seq 1000 "+strconv.Itoa(999+logs)+"); do echo h/$i.example/ | tee a/log-2026$i >b/log-2026$i; done; echo h/all.example/ >>b/log-20261000; "+
			"for i in $(seq 10 29); do (yes 'the same beginning' | head -n 1000; echo h/long.example/$i) >a/long.$i; done; touch -d '1 hour ago' */*; urlsift -u --state s a b | wc -l", strconv.Itoa(logs+21),
		"rm b/*; urlsift --state s a; for i in a/*; do mv $i $i.1; done; gzip a/*; touch -d '50 minutes ago' a/*; urlsift --state s a", "",
		"gunzip a/*.gz; for i in a/log*; do echo h/new.example/ >>$i; done; touch -d '40 minutes ago' a/*; gzip a/*; urlsift --state s a | sort | uniq -c", count+" h/new.example/",
		"rm -r a b; mkdir c; cd c; for i in $(seq 1 "+count+"); do echo h/x.example/ >log.$i; done; touch -d '1 hour ago' *; urlsift --state ../s .. | wc -l", count,
		"cd c; gzip *; touch -d '1 hour ago' *; urlsift --state ../s ..", "",
	)
}

// TestStateSpool reads a news spool like INN's. An article is written under a temporary name,
// renamed to its number, and linked into the other groups to which it was posted. A link counts as
// a separate file. Lines are added to overview files, and articles expire.
func TestStateSpool(t *testing.T) {
	const article = `article() { printf 'Path: news.example!not-for-mail\nFrom: a@b.example\nNewsgroups: comp.lang\nSubject: s\nMessage-ID: <%s@news.example>\n\n%s\n' $1 "$2"; }; ` +
		`over() { printf '%s\tSee h/over.example/%s\ta@b.example\tMon, 23 Nov 2026 00:10:00 +0000\t<%s@news.example>\t\t300\t1\tXref: x comp.lang:%s\n' $1 $1 $1 $1 >>over/comp.lang; }; cd spool; `
	stateSteps(t,
		"mkdir -p spool/comp/lang spool/comp/misc spool/over; "+article+"for i in 1 2 3 4 5; do article $i h/a.example/$i >comp/lang/$i; over $i; done; urlsift --state ../s .",
		"h/a.example/1 h/a.example/2 h/a.example/3 h/a.example/4 h/a.example/5 h/over.example/1 h/over.example/2 h/over.example/3 h/over.example/4 h/over.example/5",
		article+"article 6 h/a.example/6 >comp/lang/tmp.1; urlsift --state ../s .", "h/a.example/6",
		article+"echo h/a.example/6/end >>comp/lang/tmp.1; ln comp/lang/tmp.1 comp/lang/6; ln comp/lang/tmp.1 comp/misc/17; rm comp/lang/tmp.1; over 6; urlsift --state ../s . | sort -u", "h/a.example/6/end h/over.example/6",
		article+"urlsift --state ../s .; rm comp/lang/1 comp/lang/2; article 7 h/a.example/7 >comp/lang/7; article 8 h/a.example/8 >comp/lang/8; urlsift --state ../s .", "h/a.example/7 h/a.example/8",
		article+"for i in comp/*/*; do touch -d '1 hour ago' $i; done; sed -i 1,3d over/comp.lang; over 7; urlsift --settle 0s --state ../s . | sort -u | tail -n 1; urlsift --state ../s .", "h/over.example/7",
		"cd spool; ln comp/lang/8 comp/misc/18; urlsift --state ../s -H .; urlsift --state ../s .", "./comp/misc/18:h/a.example/8",
	)
}

// TestStateInPlace changes files in place without changing their length: a line in the middle of a
// large file, and a compressed file. A file that was only touched must not be read again.
func TestStateInPlace(t *testing.T) {
	stateSteps(t,
		"seq -f h/a.example/%09.0f 20000 >a; cp a b; gzip -1 <a >c.gz; touch -d '1 hour ago' a b c.gz; urlsift --state s a b c.gz | wc -l", "60000",
		"touch -d '50 minutes ago' a b c.gz; urlsift --state s a b c.gz", "",
		"printf 'h/b' | dd of=a bs=1 seek=$((27*9876)) conv=notrunc status=none; touch -d '40 minutes ago' a b; urlsift --state s a b >out; wc -l <out; grep -c b.example out; sed -n 9877p out", "20000 1 h/b.example/000009877",
		"urlsift --state s a b c.gz; echo h/c.example/ >>a; touch -d '30 minutes ago' a; urlsift --state s a", "h/c.example/",
		"sed -i.old s,a.example,c.example, b; cp b.old x; cat b >b.old; touch -d '20 minutes ago' b.old; urlsift --state s b b.old | wc -l", "40000",
	)
}
