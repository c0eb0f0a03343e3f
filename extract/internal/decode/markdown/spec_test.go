package markdown_test

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/urlsift/urlsift/extract/internal/decode"
	pages "github.com/urlsift/urlsift/extract/internal/decode/html"
	"github.com/urlsift/urlsift/extract/internal/decode/markdown"
)

// differs are the examples of CommonMark's specification whose targets we read otherwise, with the
// reason.
var differs = map[int]string{
	204: "the definition of a label that has one already is read too",
	520: "links in the text of an image are read too",
	544: "the definition of a label that has one already is read too",
	574: "links in the text of an image are read too",
	575: "links in the text of an image are read too",
	606: "package delimit judges what is in angle brackets",
	609: "package delimit judges what is in angle brackets",
}

// TestSpec compares the targets in CommonMark's examples with those that goldmark reads.
func TestSpec(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Skip("SKIPPED: the examples of CommonMark are in the module goldmark, which go list does not find: ", err)
	}
	list, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "_test", "spec.json"))
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Markdown string
		Example  int
	}
	if err := json.Unmarshal(list, &examples); err != nil || len(examples) < 600 {
		t.Fatal(len(examples), err)
	}
	for _, x := range examples {
		want, got := theirs(t, x.Markdown), ours(x.Markdown)
		same := slices.Equal(want, got)
		if reason := differs[x.Example]; same == (reason != "") {
			t.Errorf("example %d %s\n%s\n got %q\nwant %q", x.Example, reason, x.Markdown, got, want)
		}
	}
}

// theirs returns the targets that goldmark reads, sorted: those in its HTML, and those of labels.
func theirs(t *testing.T, in string) (list []string) {
	g := goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe()))
	labels := parser.NewContext()
	doc := g.Parser().Parse(text.NewReader([]byte(in)), parser.WithContext(labels))
	var out bytes.Buffer
	if err := g.Renderer().Render(&out, []byte(in), doc); err != nil {
		t.Fatal(err)
	}
	list = attributes(&out)
	for _, r := range labels.References() {
		list = append(list, string(util.UnescapePunctuations(util.ResolveNumericReferences(util.ResolveEntityNames(r.Destination())))))
	}
	return sorted(list)
}

// ours returns the targets that we read, sorted, with those in angle brackets.
func ours(in string) (list []string) {
	chain := decode.NewLink(strings.NewReader(in), markdown.New())
	made, _ := io.ReadAll(chain)
	list = attributes(bytes.NewReader(made))
	for rest := string(made); ; {
		_, after, found := strings.Cut(rest, "<")
		if !found {
			return sorted(list)
		}
		rest = after
		end := strings.IndexAny(after, "<> \n")
		if end < 0 || after[end] != '>' {
			continue
		}
		switch u := after[:end]; {
		case strings.Contains(u, "@") && !strings.Contains(u, ":"):
			list = append(list, "mailto:"+u)
		case strings.Contains(u, ":"):
			list = append(list, u)
		}
	}
}

// attributes returns the references in the attributes of a page.
func attributes(page io.Reader) (list []string) {
	link := decode.NewLink(page, pages.New(func(a decode.Attr) error {
		list = append(list, string(a.Value))
		return nil
	}))
	_, _ = io.ReadAll(link)
	return list
}

// sorted returns list sorted, without escapes, empty targets and those that are there twice.
func sorted(list []string) []string {
	for i, u := range list {
		if plain, err := url.PathUnescape(u); err == nil {
			u = plain
		}
		list[i] = strings.NewReplacer("\n", "", "\u00a0", " ").Replace(u)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return slices.DeleteFunc(list, func(u string) bool { return u == "" })
}

// TestFiles compares the targets in the Markdown files of other packages with those that goldmark
// reads: those in the module cache, or below $URLSIFT_MARKDOWN.
func TestFiles(t *testing.T) {
	dir := os.Getenv("URLSIFT_MARKDOWN")
	if dir == "" {
		out, err := exec.Command("go", "env", "GOMODCACHE").Output()
		if err != nil {
			t.Skip("SKIPPED: go env does not say where the module cache is: ", err)
		}
		dir = strings.TrimSpace(string(out))
	}
	files, all, missed, wrong := 0, 0, 0, 0
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".md") {
			return nil
		}
		in, err := os.ReadFile(path)
		if err != nil || len(in) > 1<<20 {
			return nil
		}
		files++
		want, got := theirs(t, string(in)), ours(string(in))
		all += len(want)
		for _, u := range want {
			if !slices.Contains(got, u) {
				missed++
				t.Logf("%s: missed %q", path, u)
			}
		}
		for _, u := range got {
			if !slices.Contains(want, u) {
				wrong++
				t.Logf("%s: wrong %q", path, u)
			}
		}
		return nil
	})
	if files == 0 {
		t.Skip("SKIPPED: no Markdown files below ", dir)
	}
	t.Logf("%d files, %d targets, %d missed, %d wrong", files, all, missed, wrong)
	if missed > all/100 || wrong > all/100 {
		t.Errorf("more than a hundredth of %d targets differs", all)
	}
}
