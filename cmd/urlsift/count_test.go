package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/tally"
	"github.com/urlsift/urlsift/extract/record"
	"github.com/urlsift/urlsift/uri"
)

// write makes a file with that content in a temporary folder.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// lines is a text of n references.
func lines(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "line %d: see http://a.example/%d for more\n", i, i)
	}
	return b.Bytes()
}

// urls returns the references in lines(n), as they are printed.
func urls(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "http://a.example/%d\n", i)
	}
	return b.String()
}

// A foundRecord has the fields of a record that the keys of count use.
type foundRecord struct {
	URL, Target, Host, Domain, Scheme, Source, Form, Date string
	Newsgroups, From                                      string
	Grammars, Suspicious                                  []string
	Message                                               int
	Inner                                                 []struct{ URL string }
}

// several returns list, or one empty value.
func several(list []string) []string {
	if len(list) == 0 {
		return []string{""}
	}
	return list
}

// component returns a component of ref.
func component(ref string, c uri.Component) string {
	lo, hi, _ := uri.Split(ref).Span(c)
	return ref[lo:hi]
}

// key returns the values of r for a key of count; there may be several.
func (r *foundRecord) key(by string) []string {
	switch by {
	case "url":
		return []string{cmp.Or(r.Target, r.URL)}
	case "grammar":
		return several(r.Grammars)
	case "suspicious":
		return several(r.Suspicious)
	case "newsgroup":
		var names []string
		for _, name := range strings.Split(r.Newsgroups, ",") {
			names = append(names, strings.TrimSpace(name))
		}
		return names
	case "message":
		if r.Message == 0 {
			return []string{""}
		}
		return []string{strconv.Itoa(r.Message)}
	case "port", "path":
		ref := cmp.Or(r.Target, r.URL)
		port := component(ref, uri.Port)
		if n := uri.DefaultPort(r.Scheme); port == "" && n > 0 {
			if _, _, ok := uri.Split(ref).Span(uri.Host); ok {
				port = strconv.Itoa(n)
			}
		}
		return []string{map[string]string{"port": port, "path": component(ref, uri.Path)}[by]}
	case "inner_host":
		if len(r.Inner) == 0 {
			return []string{""}
		}
		host, _ := record.HostNames(component(r.Inner[len(r.Inner)-1].URL, uri.Host))
		return []string{host}
	case "hour":
		return []string{r.Date[:min(13, len(r.Date))]}
	case "year":
		return []string{r.Date[:min(4, len(r.Date))]}
	case "month":
		return []string{r.Date[:min(7, len(r.Date))]}
	case "day":
		return []string{r.Date[:min(10, len(r.Date))]}
	}
	return []string{map[string]string{"host": r.Host, "domain": r.Domain, "scheme": r.Scheme, "source": r.Source, "form": r.Form}[by]}
}

// countedRows returns the rows that count --format csv prints for records, most frequent
// first.
func countedRows(records []foundRecord, by []string) (rows [][]string) {
	type sums struct {
		cells       []string
		n           int
		first, last string
		sources     map[string]bool
	}
	all := map[string]*sums{}
	for i := range records {
		r := &records[i]
		combined := [][]string{nil}
		for _, k := range by {
			var longer [][]string
			for _, c := range combined {
				for _, v := range r.key(k) {
					longer = append(longer, append(slices.Clone(c), v))
				}
			}
			combined = longer
		}
		for _, cells := range combined {
			key := strings.Join(cells, "\x00")
			s := all[key]
			if s == nil {
				s = &sums{cells: cells, sources: map[string]bool{}}
				all[key] = s
			}
			s.n++
			s.sources[r.Source] = true
			if r.Date != "" {
				s.first, s.last = min(cmp.Or(s.first, r.Date), r.Date), max(s.last, r.Date)
			}
		}
	}
	for _, s := range all {
		row := append([]string{strconv.Itoa(s.n)}, s.cells...)
		rows = append(rows, append(row, s.first, s.last, strconv.Itoa(len(s.sources))))
	}
	slices.SortFunc(rows, func(a, b []string) int {
		x, _ := strconv.Atoi(a[0])
		y, _ := strconv.Atoi(b[0])
		return cmp.Or(y-x, slices.Compare(a[1:], b[1:]))
	})
	return rows
}

// runOnFiles runs the command and returns its output. Some inputs have errors.
func runOnFiles(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("urlsift", append(args, "-s")...)
	out, err := cmd.Output()
	if status := cmd.ProcessState.ExitCode(); err != nil && status != hadErrors {
		t.Fatalf("%q: %v", args, err)
	}
	return out
}

// recordsOf returns the records that the command prints for flags and paths. With --log-times, more
// records have dates.
func recordsOf(t *testing.T, flags, paths []string) (records []foundRecord) {
	t.Helper()
	dated := 0
	for _, flag := range []string{"--log-times=false", "--log-times"} {
		n := 0
		for line := range bytes.Lines(runOnFiles(t, slices.Concat([]string{"--format", "jsonl", flag}, flags, paths)...)) {
			var r foundRecord
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatal(err)
			}
			switch {
			case flag != "--log-times":
				records = append(records, r)
			case n == len(records) || r.URL != records[n].URL || records[n].Date != "" && records[n].Date != r.Date:
				t.Fatalf("with --log-times, record %d is %+v", n, r)
			case r.Date != records[n].Date:
				records[n].Date = r.Date
				dated++
			}
			n++
		}
		if n != len(records) {
			t.Fatalf("%s: %d records of %d", flag, n, len(records))
		}
	}
	if dated < 100 {
		t.Fatalf("%d references in log lines", dated)
	}
	return records
}

// TestCountEqualsRecords compares count with the records that are found, for each key, with one
// worker and several, and with so little memory that all sums go to files.
func TestCountEqualsRecords(t *testing.T) {
	paths := []string{"../../fixtures/mail", "../../fixtures/spool", "../../fixtures/compressed", "../../fixtures/mailbox", "../../fixtures/text"}
	switch {
	case full:
		paths = []string{"../../fixtures", "../../../shared/corpora"}
	case !long:
		paths = []string{"../../fixtures/spool", "../../fixtures/compressed", "../../fixtures/text"}
	}
	for _, flags := range [][]string{{}, {"--refused", "--abbreviated", "--base", "http://a.example/b/c"}} {
		records := recordsOf(t, flags, paths)
		if len(records) < 1000 {
			t.Fatalf("%d records", len(records))
		}
		lists := append(slices.Clone(tally.Keys), "host,year", "grammar,form,domain", "suspicious,newsgroup,hour")
		for i, by := range lists {
			if by == "from" { // the record has the whole field, and no address
				continue
			}
			want := countedRows(records, strings.Split(by, ","))
			hows := []string{"-j1", "-j4", "-j1 --memory 1", "-j9 --memory 1"}
			switch {
			case raceEnabled: // several workers, each in turn
				hows = hows[1+i%2*2:][:1]
			case !long:
				hows = hows[i%4:][:1]
			}
			for _, how := range hows {
				if !full && (len(flags) > 0 || raceEnabled) && i%3 != 0 {
					continue
				}
				out := runOnFiles(t, slices.Concat([]string{"count", "--format", "csv", "--by", by}, strings.Fields(how), flags, paths)...)
				got, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
				if err != nil {
					t.Fatal(err)
				}
				if head := "count," + by + ",first,last,sources"; strings.Join(got[0], ",") != head {
					t.Errorf("the header is %q, not %s", got[0], head)
				}
				if got = got[1:]; len(got) != len(want) {
					t.Fatalf("%s %s %q: %d rows, want %d", by, how, flags, len(got), len(want))
				}
				for i := range got {
					if !slices.Equal(got[i], want[i]) {
						t.Fatalf("%s %s %q: row %d is %q, want %q", by, how, flags, i, got[i], want[i])
					}
				}
			}
		}
	}
}

// TestCountFormats compares what the formats print.
func TestCountFormats(t *testing.T) {
	const mail = "From a Thu Jan  1 00:00:00 1998\nDate: Thu, 1 Jan 1998 01:00:00 +0100\n\nhttp://b.example/ http://a.example/\n\n" +
		"From a Thu Jan  1 00:00:00 1998\nDate: Fri, 2 Jan 1998 00:00:00 +0000\n\nhttp://b.example/\n\n" +
		"From a Thu Jan  1 00:00:00 1998\n\nhttp://c.example/\n"
	const rows = "2\thttp://b.example/\t1998-01-01T00:00:00Z\t1998-01-02T00:00:00Z\t1\n"
	for args, want := range map[string]string{
		"":        rows + "1\thttp://a.example/\t1998-01-01T00:00:00Z\t1998-01-01T00:00:00Z\t1\n1\thttp://c.example/\t\t\t1\n",
		"--top 1": rows,
		"--sort last --top 1 --by host,day --format tsv": "count\thost\tday\tfirst\tlast\tsources\n1\tb.example\t1998-01-02\t1998-01-02T00:00:00Z\t1998-01-02T00:00:00Z\t1\n",
		"--sort first --by scheme,year --format jsonl": `{"count":3,"scheme":"http","year":"1998","first":"1998-01-01T00:00:00Z","last":"1998-01-02T00:00:00Z","sources":1}` + "\n" +
			`{"count":1,"scheme":"http","sources":1}` + "\n",
		"--sort key --by day,source --format csv --source-name a,b": "count,day,source,first,last,sources\n1,,\"a,b\",,,1\n" +
			"2,1998-01-01,\"a,b\",1998-01-01T00:00:00Z,1998-01-01T00:00:00Z,1\n1,1998-01-02,\"a,b\",1998-01-02T00:00:00Z,1998-01-02T00:00:00Z,1\n",
		"--by form -0":                   "4\tnone\t1998-01-01T00:00:00Z\t1998-01-02T00:00:00Z\t1\x00",
		"--host c.example --by host -j3": "1\tc.example\t\t\t1\n",
		"--scheme ftp --format csv":      "count,url,first,last,sources\n",
		"--scheme ftp":                   "",
		"--redact --by source,form --csv-guard --format csv --source-name =http://u:p@h/": "count,source,form,first,last,sources\n4,'=http://u:***@h/,none,1998-01-01T00:00:00Z,1998-01-02T00:00:00Z,1\n",
	} {
		cmd := exec.Command("urlsift", append([]string{"count"}, strings.Fields(args)...)...)
		cmd.Stdin = strings.NewReader(mail)
		out, err := cmd.Output()
		status := 0
		if strings.Contains(args, "ftp") {
			status = foundNone
		}
		if cmd.ProcessState.ExitCode() != status {
			t.Errorf("%s: %v", args, err)
		}
		if string(out) != want {
			t.Errorf("%s:\n%swant\n%s", args, out, want)
		}
	}
}

// TestCountTwice checks the number of sources of a key that occurs in two files, and the messages
// for wrong flags.
func TestCountTwice(t *testing.T) {
	a := write(t, "a", []byte("http://x.example/ http://y.example/"))
	b := write(t, "b", []byte("http://x.example/"))
	for _, jobs := range []string{"-j1", "-j3"} {
		if got := string(runOnFiles(t, "count", jobs, a, b)); got != "2\thttp://x.example/\t\t\t2\n1\thttp://y.example/\t\t\t1\n" {
			t.Errorf("%s", got)
		}
	}
	for args, want := range map[string]string{
		"--by hots":      `urlsift: --by hots: no key is called "hots" (there are url, host, domain, scheme, source, form, grammar, year, month, day, hour, from, newsgroup, message, port, path, suspicious, inner_host)`,
		"--by host,host": "urlsift: --by host,host: host is given twice",
		"--sort url":     "urlsift: --sort must be count, key, first or last",
		"--line-number":  "urlsift: urlsift count has no flag --line-number; urlsift count --help lists the flags",
		"--memory 1x":    `urlsift: --memory 1x: "1x" is not a number`,
	} {
		out, _ := exec.Command("urlsift", append([]string{"count"}, strings.Fields(args)...)...).CombinedOutput()
		if string(out) != want+"\n" {
			t.Errorf("%s: %s", args, out)
		}
	}
}

// TestCountNoTemp checks that there is an error if sums need a temporary file and its folder does
// not exist.
func TestCountNoTemp(t *testing.T) {
	for _, jobs := range []string{"-j1", "-j4"} {
		cmd := exec.Command("urlsift", "count", "--memory", "10", jobs)
		cmd.Env = append(cmd.Environ(), "TMPDIR=/nowhere")
		cmd.Stdin = strings.NewReader(urls(5000))
		out, _ := cmd.CombinedOutput()
		if want := "urlsift: temporary file in /nowhere: create: no such file or directory\n"; string(out) != want {
			t.Errorf("%s: %q", jobs, out)
		}
		if cmd.ProcessState.ExitCode() != hadErrors {
			t.Error(cmd.ProcessState)
		}
	}
}
