package licenses

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write notices.txt anew")

// own is the path of this module.
const own = "github.com/urlsift/urlsift"

// data are the notices of data.
const data = `The public suffix list (publicsuffix.org) is data under the Mozilla Public License 2.0, which is at
https://mozilla.org/MPL/2.0/. The list is at https://publicsuffix.org/list/public_suffix_list.dat.
`

// TestNotices checks that each module of which the command is built, on any system, has its notices in
// notices.txt.
func TestNotices(t *testing.T) {
	modules := make(map[string]string) // the folders, by path and version
	for _, system := range []string{"linux", "darwin", "windows", "freebsd"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}", own+"/cmd/urlsift")
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			if name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				modules[strings.TrimSpace(name)] = dir
			}
		}
	}
	var want bytes.Buffer
	heading := func(name string) { fmt.Fprintf(&want, "%s\n%s\n\n", name, strings.Repeat("=", len(name))) }
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range modules {
			if !yield(name) {
				return
			}
		}
	}) {
		heading(name)
		files := 0
		for _, pattern := range []string{"LICENSE*", "NOTICE*", "COPYING*", "PATENTS*"} {
			found, err := filepath.Glob(filepath.Join(modules[name], pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range found {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				files++
				want.Write(append(bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))), "\n\n"...))
			}
		}
		if files == 0 {
			t.Errorf("%s has no license", name)
		}
	}
	heading("Data")
	want.WriteString(data)
	rest := "\nGo\n==\n\n"
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	if golang, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE")); err == nil {
		rest += string(golang)
	} else if _, after, ok := strings.Cut(Text, rest); ok { // packages of some systems have no license in their folder of Go
		rest += after
	}
	want.WriteString(rest)
	if *update {
		if err := os.WriteFile("notices.txt", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if Text != want.String() {
		t.Error("the modules have other notices: go test ./cmd/urlsift/internal/licenses -update")
	}
}
