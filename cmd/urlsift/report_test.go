package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReport compares the numbers on the page with the results: with one worker and several, with a
// file and a pipe as output, and with so little memory that all sums go to files.
func TestReport(t *testing.T) {
	paths := []string{"../../fixtures/mailbox", "../../fixtures/logs", "../../fixtures/damaged"}
	found := strings.Count(string(runOnFiles(t, paths...)), "\n")
	name := filepath.Join(t.TempDir(), "report.html")
	made := regexp.MustCompile(`<time>[^<]*`)
	var first string
	for _, args := range []string{"-j1", "-j3", "-j2 --memory 1", "-j1 -o " + name} {
		page := runOnFiles(t, append(append([]string{"report"}, strings.Fields(args)...), paths...)...)
		if strings.Contains(args, "-o") {
			if len(page) > 0 {
				t.Errorf("%d bytes on standard output", len(page))
			}
			var err error
			if page, err = os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
		text := made.ReplaceAllString(string(page), "")
		if first == "" {
			first = text
		}
		if text != first {
			t.Errorf("%s: another page", args)
		}
	}
	total := regexp.MustCompile(`<b>([^<]*)</b> <span class="dim">(\w+)`).FindAllStringSubmatch(first, -1)
	got := map[string]string{}
	for _, m := range total {
		got[m[2]] = strings.ReplaceAll(m[1], "\u202f", "")
	}
	distinct := strings.Count(string(runOnFiles(t, append([]string{"-u"}, paths...)...)), "\n")
	hosts := strings.Count(string(runOnFiles(t, append([]string{"count", "--by", "host", "--format", "jsonl"}, paths...)...)), `"host":`)
	for what, n := range map[string]int{"references": found, "URLs": distinct, "hosts": hosts} {
		if got[what] != strconv.Itoa(n) {
			t.Errorf("%s %s, want %d", got[what], what, n)
		}
	}
	if got["errors"] == "0" || !strings.Contains(first, "gzip: unexpected EOF") {
		t.Error("no errors on the page")
	}
}

// TestReportRedacted checks that no password is on the page.
func TestReportRedacted(t *testing.T) {
	cmd := exec.Command("urlsift", "report", "--redact", "--source-name", "ftp://u:s3cret@h/")
	cmd.Stdin = strings.NewReader("http://u:s3cret@a.example/ <http://u:s3cret@[x]/>\n" + "\x1f\x8b\x08\x00")
	page, err := cmd.Output()
	if err != nil || !strings.Contains(string(page), "http://u:***@a.example/") || strings.Contains(string(page), "s3cret") {
		t.Errorf("%v %s", err, page)
	}
}

// TestReportNothing checks that there is a page, and status 1, if nothing is found.
func TestReportNothing(t *testing.T) {
	cmd := exec.Command("urlsift", "report")
	page, _ := cmd.Output()
	if !strings.Contains(string(page), "No references were found.") || cmd.ProcessState.ExitCode() != foundNone {
		t.Errorf("%v %s", cmd.ProcessState, page)
	}
}
