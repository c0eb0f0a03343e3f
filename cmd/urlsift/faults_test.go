//go:build linux

package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Tests of the command under external faults: truncated files, names that are not UTF-8, full
// disks, slow readers and closed pipes, signals, limits. Package extract tests how damaged bytes
// are read; these tests check output and messages.

// An outcome is the result of a run of the command.
type outcome struct {
	out, complaints string
	status          int
	memory          int64 // see memoryOf
}

// shell runs a shell command line, in which the command is called urlsift.
func shell(t *testing.T, line string, args ...string) outcome {
	t.Helper()
	return finish(t, exec.Command("sh", append([]string{"-c", line, "sh"}, args...)...))
}

func finish(t *testing.T, cmd *exec.Cmd) (o outcome) {
	t.Helper()
	var out, complaints bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &out
	}
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	memory := memoryOf(cmd)
	if full { // no limit of time
		_ = cmd.Wait()
		o.status = cmd.ProcessState.ExitCode()
	} else {
		o.status = statusOf(t, cmd)
	}
	o.out, o.complaints, o.memory = out.String(), complaints.String(), memory()
	return o
}

// memoryOf watches the memory of cmd, which may be a shell that executes the command. Call the
// function that it returns at the end; it returns the maximum of resident bytes. The maximum that
// the system reports for an ended process is no use: it includes the memory of the parent before
// exec.
func memoryOf(cmd *exec.Cmd) func() int64 {
	status := fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)
	over, most := make(chan struct{}), make(chan int64)
	go func() {
		kib := int64(0)
		for {
			text, _ := os.ReadFile(status)
			if _, rest, ok := bytes.Cut(text, []byte("VmHWM:")); ok && bytes.HasPrefix(text, []byte("Name:\turlsift\n")) {
				kib, _ = strconv.ParseInt(string(bytes.Fields(rest)[0]), 10, 64)
			}
			select {
			case <-over:
				most <- kib << 10
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() int64 { close(over); return <-most }
}

// complained returns the number of lines in complaints. Each must be a message of the command.
func (o *outcome) complained(t *testing.T) (n int) {
	t.Helper()
	for line := range strings.Lines(o.complaints) {
		if !strings.HasPrefix(line, "urlsift: ") || !strings.HasSuffix(line, "\n") {
			t.Errorf("on standard error stands %q", line)
		}
		n++
	}
	return n
}

// TestCutFile truncates a file of each kind. The references in front of the cut are printed; the
// last may be incomplete. There is one line of error, and the status is 2. Formats without an end
// mark may end anywhere without an error.
func TestCutFile(t *testing.T) {
	var tarred, zipped bytes.Buffer
	tw, zw := tar.NewWriter(&tarred), zip.NewWriter(&zipped)
	for i := range 4 {
		tw.WriteHeader(&tar.Header{Name: strconv.Itoa(i), Mode: 0o644, Size: int64(len(lines(500)))})
		tw.Write(lines(500))
		w, _ := zw.Create(strconv.Itoa(i))
		w.Write(lines(500))
	}
	tw.Close()
	zw.Close()
	files := map[string][]byte{"tar": tarred.Bytes(), "zip": zipped.Bytes()}
	packed, err := filepath.Glob("../../fixtures/compressed/mbox.rlug.*")
	if err != nil || len(packed) < 10 {
		t.Fatalf("%d compressed mailboxes, error %v", len(packed), err)
	}
	for _, path := range packed {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	for kind, data := range files {
		whole := shell(t, `urlsift "$1"`, write(t, "whole", data))
		if whole.status != 0 || whole.out == "" {
			t.Fatalf("%s: status %d: %s", kind, whole.status, whole.complaints)
		}
		for _, share := range []int{10, 50, 90} { // after that, archives have a directory or zeros
			o := shell(t, `urlsift "$1"`, write(t, "cut", data[:len(data)*share/100]))
			if o.status != hadErrors || o.complained(t) != 1 {
				t.Errorf("%s, %d %%: status %d, messages: %s", kind, share, o.status, o.complaints)
			}
			got := strings.TrimSuffix(o.out, "\n")
			if i := strings.LastIndexByte(got, '\n'); !strings.HasPrefix(whole.out, got[:i+1]) {
				t.Errorf("%s, %d %%: what is printed is no beginning of what is there", kind, share)
			}
		}
	}
}

// TestNames reads files whose names have control characters and other special bytes. Each record
// and each error must be one line, without control characters for a terminal.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	names := []string{"a\nb", "\x1b[2J\x07", "\xff\xfe", "c\r\nwww.fake.example", "tab\there", `quote"and\comma,`, "  ", "-v", "é\u202eabc\u0085", "=1+1", strings.Repeat("n", 255)}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("http://a.example/ x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name[:min(len(name), 250)]+".gz"), []byte("\x1f\x8b\x08"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(flags string) outcome {
		t.Helper()
		o := shell(t, `cd "$1" && urlsift `+flags+` .`, dir)
		if n := o.complained(t); n != len(names) || o.status != hadErrors {
			t.Errorf("%s: status %d, %d errors, want %d: %q", flags, o.status, n, len(names), o.complaints)
		}
		for _, c := range o.complaints {
			if c != '\n' && c < ' ' || c >= 0x7f && c < 0xa0 || c == 0xfffd {
				t.Errorf("%s: standard error has %q", flags, c)
				break
			}
		}
		return o
	}
	n := 0
	for line := range strings.Lines(run("--format jsonl").out) {
		var r struct{ URL, Source string }
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.URL != "http://a.example/" {
			t.Errorf("%q: %v", line, err)
		}
		for _, name := range names {
			if r.Source == "./"+string([]rune(name)) { // bytes that are not UTF-8 are U+FFFD
				n++
			}
		}
	}
	if n != len(names) {
		t.Errorf("%d names in objects, want %d", n, len(names))
	}
	rows, err := csv.NewReader(strings.NewReader(run("--format csv").out)).ReadAll()
	if err != nil || len(rows) != 1+len(names) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	if n := strings.Count(run("--format tsv").out, "\n"); n != 1+len(names) {
		t.Errorf("%d lines of tsv", n)
	}
	// If records end with NUL, names are printed verbatim.
	for _, flags := range []string{"-0 -l", "-0 -H"} {
		records := strings.Split(strings.TrimSuffix(run(flags).out, "\x00"), "\x00")
		for _, name := range names {
			want := "./" + name
			if flags == "-0 -H" {
				want += ":http://a.example/"
			}
			if !slices.Contains(records, want) {
				t.Errorf("%s: no %q", flags, want)
			}
		}
	}
}

// TestFull writes to a full disk, in every output format. The status is 2, with one message. With -o
// the old file stays. The status is the same if standard error is full.
func TestFull(t *testing.T) {
	big := write(t, "big", lines(20000))
	for _, args := range []string{"$1", "--format jsonl $1", "--format csv $1", "--format tsv $1", "-c $1", "-c $1 $1", "-l $1", "-u $1", "-j4 $1 $1 $1", "--refused $1",
		"parse http://a/", "parse --format jsonl http://a/", "resolve --base http://a/ b", "normalize http://a/", "parse <$1", "--help", "--version", "man", "completion bash"} {
		o := shell(t, "urlsift "+args+" >/dev/full", big)
		if o.status != hadErrors || o.complained(t) != 1 || !strings.Contains(o.complaints, "standard output: no space left on device") {
			t.Errorf("%s: status %d: %s", args, o.status, o.complaints)
		}
	}
	o := shell(t, `cd "$2" && echo old >out && ulimit -f 16 && { urlsift -o out "$1"; echo $?; } && cat out && ls -A`, big, t.TempDir())
	if o.out != "2\nold\nout\n" || o.complained(t) != 1 || !strings.Contains(o.complaints, "urlsift: out: file too large") {
		t.Errorf("-o on a full disk: %q, and messages: %s", o.out, o.complaints)
	}
	for args, want := range map[string]int{"$1": foundSome, "$1 none": hadErrors, "none": hadErrors, "--format none": hadErrors} {
		if o := shell(t, "urlsift "+args+" 2>/dev/full", big); o.status != want || strings.HasPrefix(args, "$1") && o.out != urls(20000) {
			t.Errorf("%s with standard error full: status %d", args, o.status)
		}
	}
}

// TestGone writes to a pipe whose reader closes it after the first line. The run must end
// at once, with status 0 and nothing on standard error.
func TestGone(t *testing.T) {
	big := write(t, "big", lines(200000))
	for _, args := range []string{"$1", "--format jsonl $1", "--format csv $1", "-u $1", "-j4 $1 $1 $1", "-H $1", "parse <$1", "normalize <$1"} {
		o := shell(t, `{ urlsift `+args+`; echo "$?" >&2; } | head -n 1`, big)
		if strings.TrimSpace(o.complaints) != "0" || strings.Count(o.out, "\n") != 1 {
			t.Errorf("%s: %q, then %q", args, o.out, o.complaints)
		}
	}
}

// TestSlowReader reads the output slowly. Nothing may be lost, and memory must not grow while the
// command waits.
func TestSlowReader(t *testing.T) {
	n := 150_000
	if long {
		n = 400_000
	}
	big := write(t, "big", lines(n))
	for _, args := range [][]string{{big}, {"-j4", big, "none", big}} {
		cmd, _, out, _ := start(t, args...)
		memory := memoryOf(cmd)
		var got int
		for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if line, err := out.ReadString('\n'); err != nil || line != fmt.Sprintf("http://a.example/%d\n", got) {
				t.Fatalf("line %d: %q, %v", got, line, err)
			}
			got++
		}
		for { // and then without delay
			line, err := out.ReadString('\n')
			if err != nil {
				break
			}
			if line != fmt.Sprintf("http://a.example/%d\n", got%n) {
				t.Fatalf("line %d: %q", got, line)
			}
			got++
		}
		want := foundSome
		if len(args) > 1 {
			want = hadErrors
		}
		if status := statusOf(t, cmd); status != want || got%n != 0 {
			t.Errorf("status %d after %d lines", status, got)
		}
		if m := memory(); m > 64<<20 && !raceEnabled || m == 0 {
			t.Errorf("%v: %d MiB", args, m>>20)
		}
	}
}

// TestSignals ends runs of many kinds by a signal. The status must be that of the signal, all
// records must be complete, and there must be no error message.
func TestSignals(t *testing.T) {
	big := write(t, "big", lines(200000))
	packed := filepath.Join(t.TempDir(), "big.tar.gz")
	if o := shell(t, `tar -C "$(dirname "$1")" -czf "$2" big`, big, packed); o.status != 0 {
		t.Skip(o.complaints)
	}
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	for i, c := range []struct {
		args  []string
		first bool // some output is printed before the signal is sent
	}{
		{[]string{"--format", "jsonl", big}, true},
		{[]string{"--format", "jsonl", packed}, true},
		{[]string{"--format", "csv", "-j1", packed}, true},
		{[]string{"-u", packed, big}, true},
		{[]string{"-c", packed, fifo, big}, false},
		{[]string{"-l", "-j4", fifo, big, packed}, false}, // the FIFO waits for a writer
		{[]string{fifo}, false},
		{[]string{"--progress", "always", fifo}, false},
		{[]string{"parse"}, false},
	} {
		sig := [...]syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[i%3]
		if signal.Ignored(sig) { // for example by nohup; then the command ignores it too
			sig = syscall.SIGTERM
		}
		var text string
		status := -1
		// If the signal itself ends the process, the command had not installed its handler yet.
		for patience := 50 * time.Millisecond; status < 0 && patience < 10*time.Second; patience *= 3 {
			cmd, _, out, complaints := start(t, c.args...)
			text = ""
			if c.first {
				text, _ = out.ReadString('\n')
			} else {
				time.Sleep(patience)
			}
			began := time.Now()
			cmd.Process.Signal(sig)
			rest, err := io.ReadAll(out)
			text += string(rest)
			status = statusOf(t, cmd)
			if took := time.Since(began); took > 5*time.Second || err != nil || strings.Contains(complaints.String(), "urlsift:") {
				t.Errorf("%v: %v, after %v: %s", c.args, err, took, complaints)
			}
		}
		if status != 128+int(sig) {
			t.Errorf("%v: %v: status %d", c.args, sig, status)
		}
		if text != "" && text[len(text)-1] != '\n' || c.first && text == "" {
			t.Errorf("%v: the last record is %.99q", c.args, text[strings.LastIndexByte(text, '\n')+1:])
		}
		if slices.Contains(c.args, "jsonl") {
			for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
				if !json.Valid(lines.Bytes()) {
					t.Errorf("%v: %q", c.args, lines.Text())
					break
				}
			}
		}
	}
}

// TestOpenFiles reads many files with few descriptors. A worker has one file open, and a walk one
// directory.
func TestOpenFiles(t *testing.T) {
	files, limit, workers := 3000, 48, 16
	switch {
	case full:
		files, limit, workers = 100000, 2048, 64
	case !long:
		files = 400
	}
	dir := t.TempDir()
	for i := range files {
		sub := filepath.Join(dir, strconv.Itoa(i/1000))
		if i%1000 == 0 {
			if err := os.Mkdir(sub, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(sub, strconv.Itoa(i)), []byte("http://a.example/"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	deep := dir // more nested directories than descriptors
	for i := range 100 {
		deep = filepath.Join(deep, "d")
		if err := os.Mkdir(deep, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(deep, "f"), []byte(fmt.Sprintf("http://a.example/%d", i)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, flags := range []string{"-j1", "--follow", fmt.Sprintf("-j%d", workers)} {
		o := shell(t, fmt.Sprintf(`ulimit -n %d && exec urlsift %s "$1"`, limit, flags), dir)
		if n := strings.Count(o.out, "\n"); o.status != foundSome || n != files+100 {
			t.Errorf("%s: status %d, %d references, want %d: %.300s", flags, o.status, n, files+100, o.complaints)
		}
		if o.memory > 64<<20 && !full && !raceEnabled {
			t.Errorf("%s: %d MiB", flags, o.memory>>20)
		}
	}
	// With few descriptors there are fewer workers. If there are too few for one worker, the only
	// output is an error.
	command := built(t)
	for limit := 3; limit < 40; limit++ {
		if !long && limit > 8 && limit%4 > 0 {
			continue // in the short form, every number is tried only where the command fails
		}
		jobs := "-j" + strconv.Itoa(1+limit*limit%200)
		for _, c := range []struct {
			args  []string
			found int
		}{{[]string{jobs, filepath.Join(dir, "d")}, 100}, {[]string{"parse", "--format", "jsonl", "http://a.example/"}, 1}} {
			o := shell(t, fmt.Sprintf(`ulimit -n %d && exec "$@"`, limit), append([]string{command}, c.args...)...)
			found := strings.Count(o.out, "\n")
			whole := found == c.found && o.status == foundSome && o.complaints == ""
			refused := found == 0 && o.status == hadErrors && o.complained(t) == 1 && strings.Contains(o.complaints, "too few file descriptors")
			if !whole && !refused || whole && limit < 5 || refused && limit >= 16 {
				t.Errorf("%d descriptors, %v: status %d, %d lines: %.300s", limit, c.args, o.status, found, o.complaints)
			}
		}
	}
}

// TestMemoryLimits reads large inputs, plain and compressed, from files and a pipe, under external
// limits of memory.
func TestMemoryLimits(t *testing.T) {
	if raceEnabled {
		t.Skip("builds the command and reads much")
	}
	size := 8
	if full {
		size = 200
	}
	dir := t.TempDir()
	text := lines(20000) // about 1 MB
	if err := os.WriteFile(filepath.Join(dir, "text"), bytes.Repeat(text, size), 0o644); err != nil {
		t.Fatal(err)
	}
	if o := shell(t, `cd "$1" && gzip -k text && tar -cf text.tar text text.gz`, dir); o.status != 0 {
		t.Skip(o.complaints)
	}
	for _, kind := range []string{"xz", "zst"} { // these formats have larger windows
		data, err := os.ReadFile("../../fixtures/compressed/mbox.rlug." + kind)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "mail."+kind), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := built(t)
	for i, c := range []struct {
		limit string
		most  int64 // MiB
	}{
		{"true", 64},
		{"export GOMEMLIMIT=32MiB", 48},
		{"export GOMEMLIMIT=8MiB", 48}, // less than needed: slower, but the run completes
		{"ulimit -v 1048576", 64},
		{"ulimit -v 1048576 && export GOMEMLIMIT=32MiB", 48},
	} {
		for _, piped := range []bool{false, true} {
			if !long && piped != (i%2 == 0) {
				continue
			}
			args := []string{"-c", c.limit + ` && exec "$0" -c "$@"`, command, "-j8", dir}
			if piped {
				args = args[:3]
			}
			cmd := exec.Command("sh", args...)
			want := 4 * 20000 * size
			if piped {
				archive, err := os.Open(filepath.Join(dir, "text.tar"))
				if err != nil {
					t.Fatal(err)
				}
				defer archive.Close()
				cmd.Stdin = io.MultiReader(archive) // not a file, so the command gets a pipe
				want /= 2
			}
			o := finish(t, cmd)
			if o.status != foundSome || o.complained(t) != 0 {
				t.Errorf("%s: status %d: %.500s", c.limit, o.status, o.complaints)
			}
			n := 0
			for line := range strings.Lines(o.out) {
				k, _ := strconv.Atoi(strings.TrimSpace(line[strings.LastIndexByte(line, ':')+1:]))
				n += k
			}
			if n < want {
				t.Errorf("%s: %d references, want %d", c.limit, n, want)
			}
			t.Logf("%s: %d MiB", c.limit, o.memory>>20)
			if o.memory > c.most<<20 || o.memory == 0 {
				t.Errorf("%s: %d MiB, want %d at most", c.limit, o.memory>>20, c.most)
			}
		}
	}
}

// TestNoPermission checks that readable files are read and the others are reported. If root runs
// the test, the command runs as user nobody.
func TestNoPermission(t *testing.T) {
	dir, err := os.MkdirTemp("", "urlsift") // other users may be unable to enter t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"a", "closed/x", "listed/x", "secret", "z"} {
		path := filepath.Join(dir, "tree", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("http://"+strings.ReplaceAll(name, "/", ".")+".example/"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := built(t)
	for name, mode := range map[string]os.FileMode{".": 0o755, "tree/closed": 0, "tree/listed": 0o444, "tree/secret": 0} {
		path := filepath.Join(dir, name)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(path, 0o700)
	}
	const denied = ": permission denied\n"
	for _, c := range []struct{ args, out, complaints string }{
		{"-j2 tree", "http://a.example/\nhttp://z.example/\n",
			"urlsift: tree/closed: walk" + denied + "urlsift: tree/listed/x: walk" + denied + "urlsift: tree/secret: open" + denied},
		{"tree/secret tree/z", "http://z.example/\n", "urlsift: tree/secret: open" + denied},
		{"tree/closed/x tree/closed", "", "urlsift: tree/closed/x: open" + denied + "urlsift: tree/closed: walk" + denied},
	} {
		cmd := exec.Command(command, strings.Fields(c.args)...)
		cmd.Dir = dir
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534, NoSetGroups: true}}
		}
		o := finish(t, cmd)
		if o.out != c.out || o.complaints != c.complaints || o.status != hadErrors {
			t.Errorf("%s: status %d\n%s%s", c.args, o.status, o.out, o.complaints)
		}
	}
}
