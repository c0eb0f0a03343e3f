//go:build unix

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/refs"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// These tests put a text into every place of the input that reaches some output. They search all
// output for control sequences, passwords, and formulas.

// orders are texts that control a terminal or mislead its reader.
var orders = []string{
	"\x1b[31m", "\x1b]0;title\a", "\r", "\n", "\x7f", "\b", "\u009b31m", "\x9b31m", "\xff\xfe", "\xe2\x80", "\u2028", "\u202e", "\u2067", "\u200f", "\x0e",
}

// odd are texts that are hard to print.
var odd = []string{
	"", "http://example.org/", "a b", `"`, `\`, `\"`, "<>&", "\x00\x01\x1f\x7f", "\b\f\n\r\t", "ä€𝄞", "\u0080\u009f\u00a0",
	"\u2028\u2029", "\xff", "a\xffb", "\xc3", "\ufffd", strings.Repeat("x", 10000),
}

// orderly fails if out is not UTF-8, or has characters other than visible ones, line ends and tabs.
func orderly(t *testing.T, where string, out []byte) {
	t.Helper()
	for i := 0; i < len(out); {
		r, n := utf8.DecodeRune(out[i:])
		bad := r < ' ' && r != '\n' && r != '\t' || 0x7F <= r && r < 0xA0 || r == utf8.RuneError && n == 1 ||
			0x200E <= r && r <= 0x200F || 0x2028 <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069 || r == 0x61C
		if bad {
			t.Errorf("%s: %q goes out in %.300q", where, out[i:i+n], out[max(0, i-100):])
			return
		}
		i += n
	}
}

// sample returns a result with text in every field that can contain it.
func sample(text string) *extract.Result {
	r := new(extract.Result)
	r.Candidate.Text = []byte(text)
	r.Candidate.Ref = r.Candidate.Text
	r.URL = []byte(text)
	r.Target = []byte("http://example.org/" + text)
	r.Base = text
	r.BaseSource = extract.FromOption
	r.Accepts = 0b110000
	r.Valid = true
	r.Candidate.Form = 2
	r.Candidate.Prefixed = true
	r.Candidate.Breaks = 2
	r.Candidate.Tail = []byte(text)
	r.Candidate.By = 0b11
	r.Err = errors.New(text)
	r.Origin = extract.Origin{Source: text, Member: text, Message: 3, Part: "1.2", Offset: 4, Length: 5, Line: 6, Column: 7, Exact: true, Fields: extract.Fields{MessageID: text}}
	return r
}

// TestOrderlyRecords checks that printers escape control characters in every field of a record, and
// that each record is one line.
func TestOrderlyRecords(t *testing.T) {
	for _, text := range append(orders, odd...) {
		r := sample("a" + text + "b")
		r.Origin.Newsgroups, r.Origin.Date, r.Origin.Field = text, text, text
		for _, valid := range []bool{true, false} {
			r.Valid = valid
			for f := range output.Formats {
				for _, redact := range []bool{false, true} {
					o := &output.PrintOptions{Format: output.Format(f), Prefix: output.WithName | output.WithLine | output.WithColumn | output.WithOffset, Redact: redact, Guard: redact, Readings: true}
					out := output.NewPrinter(o, true).Append(nil, r)
					where := fmt.Sprintf("%s of %q", output.Formats[f], text)
					orderly(t, where, out)
					if bytes.Count(out, []byte("\n")) != 1 {
						t.Errorf("%s is no line: %q", where, out)
					}
					if raw := output.NewPrinter(o, false).Append(nil, r); output.Format(f) == output.JSONL && !bytes.Equal(raw, out) {
						t.Errorf("%s depends on the terminal", where)
					}
				}
			}
		}
	}
}

// TestOrderlyAnswers checks the same for the subcommands.
func TestOrderlyAnswers(t *testing.T) {
	for _, text := range append(orders, odd...) {
		if len(text) > 1000 {
			continue
		}
		for _, ref := range []string{text, "http://h/" + text, "http://u" + text + ":p@h/", "mailto:" + text + "?" + text + "=" + text, text + "://x", "ftp://h/x;type=" + text} {
			for _, args := range [][]string{{"parse"}, {"parse", "--redact"}, {"parse", "--typed"}, {"resolve", "--base", "http://a/"}, {"normalize"}} {
				j := ask(t, args...)
				for f := range output.Formats {
					j.Format = output.Format(f)
					p := refs.Printer{Do: j.Do, Format: j.Format, Safe: true, Guard: true}
					orderly(t, fmt.Sprintf("%s %s of %q", args, output.Formats[f], ref), p.Append(nil, j.Answer(ref)))
				}
			}
		}
	}
}

// inputs writes files into dir, complete and damaged, with text in every place that reaches some
// output. It returns their paths. Bytes of text that a file name cannot contain are left out of
// names.
func inputs(t *testing.T, dir, text string) []string {
	t.Helper()
	write := func(name string, data []byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	line := strings.NewReplacer("\n", "", "\r", "").Replace(text) // a header's
	message := "From: x@y.example\nMessage-ID: <" + line + ">\nNewsgroups: " + line + "\nDate: " + line + "\nContent-Base: http://u:QQQQ@b.example/" +
		"\nX-" + line + ": http://a.example/\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n" +
		"--x\nContent-Type: text/plain; charset=\"" + line + "\"\nContent-Transfer-Encoding: " + line + "\n\n<URL:http://a.example/" + text + "> and <http://" + text + "/> <URL:../z>\n" +
		"--x\nContent-Type: application/octet-stream; name=\"" + line + "\"\nContent-Disposition: attachment; filename=\"" + line + ".gz\"\nContent-Transfer-Encoding: base64\n\nH4sIAAAAAAAAA0vLz08CAA==\n" +
		"--x\nContent-Type: text/html\n\n<base href=\"http://u:QQQQ@c.example/\"><a href=\"/" + text + "\">x</a><a href=\"http://h/?u=" + text + "\">x</a>\n--x--\n"
	// An archive with complete members, and a truncated one.
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("see http://a.example/\n"))
	z.Close()
	var tarred, zipped bytes.Buffer
	tw, zw := tar.NewWriter(&tarred), zip.NewWriter(&zipped)
	members := []struct {
		name string
		data []byte
	}{{text, []byte("see http://a.example/ \n")}, {"x/" + text, packed.Bytes()}, {text + ".gz", packed.Bytes()[:packed.Len()-6]}, {"y" + text, []byte(message)}}
	for _, m := range members {
		if err := tw.WriteHeader(&tar.Header{Name: m.name, Mode: 0o644, Size: int64(len(m.data)), Format: tar.FormatGNU}); err != nil {
			t.Fatal(err)
		}
		tw.Write(m.data)
		w, err := zw.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		w.Write(m.data)
	}
	tw.Close()
	zw.Close()
	write("plain", []byte("see <http://a.example/"+text+">, http://b.example/"+text+", <URL:"+text+"> and http://"+text+"\n"))
	write("sound/"+text, []byte(message))
	write("cut/"+text+".gz", packed.Bytes()[:packed.Len()-6])
	write("mail", []byte(message))
	write("box", []byte("From a "+line+"\n"+message+"\nFrom b Mon Jan  1 00:00:00 1996\n"+message))
	write("tar", tarred.Bytes())
	write("zip", zipped.Bytes())
	write("tar-cut", tarred.Bytes()[:tarred.Len()-2048])
	write("zip-cut", zipped.Bytes()[:zipped.Len()/2])
	return []string{dir, filepath.Join(dir, "none"+text)}
}

// runs are command lines that together print every kind of output.
var runs = [][]string{
	{}, {"-H", "-n", "-b", "--column", "--refused", "--readings", "--message-ids"}, {"-c"}, {"-l"}, {"-c", "-j1"},
	{"--format", "jsonl", "--refused", "--message-ids", "--abbreviated", "--defanged"},
	{"--format", "csv", "--refused", "--message-ids"}, {"--format", "tsv", "--refused", "--message-ids"},
	{"--as", "plain", "--refused"}, {"--as", "html", "--refused", "--base", "http://u:QQQQ@b.example/"}, {"--max-depth", "1"}, {"--max-member", "30"},
	{"--addresses"}, // the last
}

// outputs runs the command with args and returns its output.
func outputs(t *testing.T, stdin string, args ...string) (out, complaints []byte) {
	t.Helper()
	cmd := exec.Command("urlsift", args...)
	cmd.Stdin = strings.NewReader(stdin)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	cmd.Run()
	if cmd.ProcessState.ExitCode() < 0 || cmd.ProcessState.ExitCode() > 2 {
		t.Errorf("%q: %v, %s", args, cmd.ProcessState, e.Bytes())
	}
	return o.Bytes(), e.Bytes()
}

// misuses returns wrong command lines, whose error messages contain text.
func misuses(text string) [][]string {
	return [][]string{
		{"--" + text}, {"-" + text}, {"-Z" + text}, {"--format", text}, {"--base", text}, {"--base", "http://h/" + text}, {"--as", text}, {"--parts", text}, {"--grammar", text},
		{"--jobs", text}, {"--count=" + text}, {"--include", "[" + text}, {"--host", text + ",,"}, {"--max-length", text + "K"}, {"--progress", text},
		{"equal", text, "http://h/^" + text}, {"equal", text, text, text}, {"completion", text}, {"man", text}, {"resolve", "--base", text, "x"}, {"resolve", "--base", "//" + text, "x"},
		{"normalize", "--format", "csv", "http://h/^" + text}, {"parse", "--" + text},
	}
}

// TestOrderlyMessages checks that standard error, wherever it goes, has no control characters and
// one line for each error or warning, and that JSON messages are valid.
func TestOrderlyMessages(t *testing.T) {
	all := strings.Join(orders, "x")
	paths := inputs(t, t.TempDir(), all)
	messages := 0
	for _, args := range runs {
		out, complaints := outputs(t, "", append(args, paths...)...)
		orderly(t, fmt.Sprint(args), complaints)
		for line := range bytes.Lines(complaints) {
			if messages++; !bytes.HasPrefix(line, []byte("urlsift: ")) {
				t.Errorf("%s: %q", args, line)
			}
		}
		if len(args) > 1 && args[1] == "jsonl" {
			orderly(t, "jsonl", out)
			for line := range bytes.Lines(out) {
				if !json.Valid(line) {
					t.Errorf("%q", line)
				}
			}
		}
	}
	if messages < 7*len(runs) {
		t.Errorf("only %d messages: that is too few", messages)
	}
	for _, text := range []string{all, orders[0], "\n", "\x9b31m"} {
		for _, args := range misuses(text) {
			_, complaints := outputs(t, "", args...)
			orderly(t, fmt.Sprintf("%q", args), complaints)
			if bytes.Count(complaints, []byte("\n")) != 1 && len(complaints) > 0 {
				t.Errorf("%q: %q", args, complaints)
			}
		}
		if !long {
			break
		}
	}
}

// passwords are references with the password QQQQ in every place where people write passwords.
var passwords = []string{
	"http://u:QQQQ@h.example/", "http:/u:QQQQ@h.example/", "http%3A%2F%2Fu%3AQQQQ%40h.example%2F", "http://a.example/web/http://u:QQQQ@h.example/x",
	"http://a.example/?u=http%3A%2F%2Fu%3AQQQQ%40h.example%2F&v=1", "http://a.example/?u=http%253A%252F%252Fu%253AQQQQ%2540h.example",
	"http://u:a:QQQQ@b@h.example/", "http://u%40x:QQQQ%3A@h.example/", "http://u:QQQQ%40h.example/", "http://u:a^QQQQ@[x/", "ftp://u:QQQQ@h.example/x;type=a^",
	"hxxp[:]//u[:]QQQQ[@]h[.]example/",
}

// hides fails if out contains the password.
func hides(t *testing.T, where string, out []byte) {
	t.Helper()
	if i := bytes.Index(out, []byte("QQ")); i >= 0 {
		t.Errorf("%s: %q", where, out[max(0, i-100):min(len(out), i+50)])
	}
}

// TestRedactEverywhere checks that --redact leaves no password in results, names and messages.
// Without the flag the passwords must be there; otherwise the test would check nothing.
func TestRedactEverywhere(t *testing.T) {
	skipRace(t)
	for n, text := range passwords {
		if !long && n%4 > 0 {
			continue
		}
		paths := inputs(t, t.TempDir(), text)
		// In X-http://u:p@h/ the name of a header field ends at the first ':'. The rest of the URL
		// looks like a mail address, and no program can know that it has a password.
		for i, args := range runs[:len(runs)-1] {
			if n > 1 && i%4 != n%4 {
				continue // a similar case
			}
			args = append(args[:len(args):len(args)], paths...)
			if n == 0 {
				out, complaints := outputs(t, "", args...)
				if !bytes.Contains(out, []byte("QQQQ")) || !bytes.Contains(complaints, []byte("QQQQ")) {
					t.Errorf("%s: the password does not come out", args)
				}
			}
			out, complaints := outputs(t, "", append(args, "--redact", "--progress", "always")...)
			hides(t, fmt.Sprint(args), out)
			hides(t, fmt.Sprint(args), complaints)
			if len(out) == 0 || len(complaints) == 0 {
				t.Errorf("%s: nothing", args)
			}
		}
		if n%4 > 0 {
			continue
		}
		for _, args := range misuses(text) {
			_, complaints := outputs(t, "", append(args[:len(args):len(args)], "--redact")...)
			hides(t, fmt.Sprintf("%s, redacted", args), complaints)
			_, complaints = outputs(t, "", args...)
			if args[0] != "normalize" { // this subcommand was called without --redact
				hides(t, fmt.Sprint(args), complaints)
			}
		}
	}
}

// TestRedactAnswers checks the same for the subcommands, by every grammar.
func TestRedactAnswers(t *testing.T) {
	skipRace(t)
	for _, text := range append(passwords, "http://u:QQQQ", "//u:QQQQ@h.example/", "zope:http://u:QQQQ@h/^") {
		for _, ref := range []string{text, "URL:" + text, "a^" + text, "../" + text, "?" + text, "#" + text, "mailto:x?body=" + text} {
			for _, g := range refs.Grammars {
				for _, args := range [][]string{{"parse"}, {"parse", "--typed"}, {"normalize"}, {"resolve", "--base", "http://u:QQQQ@b.example/"}, {"resolve", "--excess", "error", "--base", "http://b.example/http%3A%2F%2Fu%3AQQQQ%40h/"}} {
					if args[0] == "resolve" && (g == "url-1993" || g == "url-1994") {
						continue // the grammar accepts no such base
					}
					j := ask(t, append(args[:len(args):len(args)], "--redact", "--grammar", g)...)
					for f := range output.Formats {
						j.Format = output.Format(f)
						a := j.Answer(ref)
						p := refs.Printer{Do: j.Do, Format: j.Format}
						out := p.Append(nil, a)
						hides(t, fmt.Sprintf("%s %s: %s", g, args, ref), append(out, a.Fault...))
					}
				}
			}
		}
	}
}

// TestGuard checks that with --csv-guard no cell is a formula, and that cells differ only by the
// apostrophe.
func TestGuard(t *testing.T) {
	fields := record.Fields()
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＠1", "=\"a,b\"", "'=1", " =1", "\"=1+1\"", "  \"=1", "a\"=1", "a=1", "", "'"} {
		r := sample(text)
		for _, f := range []output.Format{output.CSV, output.TSV} {
			for _, safe := range []bool{false, true} {
				plain := cells(t, f, output.NewPrinter(&output.PrintOptions{Format: f}, safe).Append(nil, r))
				for i, cell := range cells(t, f, output.NewPrinter(&output.PrintOptions{Format: f, Guard: true}, safe).Append(nil, r)) {
					want := plain[i]
					text, signs := text, "=+-@\t\r\n"
					if f == output.TSV { // some programs read cells with quotation marks, or without spaces in front
						text, signs = strings.TrimLeft(text, " "), signs+`"`
					}
					if risky := strings.ContainsAny(text[:min(1, len(text))], signs) || strings.HasPrefix(text, "＝") || strings.HasPrefix(text, "＠"); risky && strings.HasPrefix(fields[i].Name, "url") {
						want = "'" + want
					} else if strings.HasPrefix(cell, "'") && risky {
						want = "'" + want
					}
					if cell != want {
						t.Errorf("%s of %q: %q, not %q", fields[i].Name, text, cell, want)
					}
					if len(cell) > 0 && strings.ContainsAny(cell[:1], "=+-@\t\r\n") {
						t.Errorf("%s of %q: %q", fields[i].Name, text, cell)
					}
				}
			}
		}
	}
	j := ask(t, "parse")
	for _, f := range []output.Format{output.CSV, output.TSV} {
		p := refs.Printer{Do: refs.Parse, Format: f, Guard: true}
		for _, cell := range cells(t, f, p.Append(nil, j.Answer("=1?=1#=1"))) {
			if strings.HasPrefix(cell, "=") {
				t.Errorf("%q", cell)
			}
		}
	}
}

// cells returns the cells of a line.
func cells(t *testing.T, f output.Format, line []byte) []string {
	t.Helper()
	if f == output.TSV {
		return strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
	}
	row, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err != nil {
		t.Fatal(err)
	}
	return row
}
