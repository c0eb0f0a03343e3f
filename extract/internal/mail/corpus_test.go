package mail

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestCorpus reads the files in the folders of real mail that the variable MAILS names. Each is
// read with its own framing and with the others, whole and in pieces.
func TestCorpus(t *testing.T) {
	roots := filepath.SplitList(os.Getenv("MAILS"))
	if len(roots) == 0 {
		t.Skip("MAILS names no folders")
	}
	var files, messages, parts, damage int
	framed := make(map[Framing]int)
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			found, _ := Sniff(raw[:min(len(raw), 4096)], true)
			files++
			framed[found]++
			for f := Single; f <= MMDF; f++ {
				list := all(t, raw, bytes.NewReader(raw), f, 100, 1<<16)
				if f == found {
					for _, g := range list {
						switch {
						case g.part.Section == "":
							damage++
							if testing.Verbose() {
								t.Logf("%s: %s", path, g.err)
							}
						default:
							parts++
						}
					}
					messages += again.w.in.message
				}
				if f > Mbox && f != found {
					continue
				}
				if got := all(t, raw, &chunks{raw, 777}, f, 100, 500); fmt.Sprint(got) != fmt.Sprint(list) {
					t.Errorf("%s as %s: pieces make a difference", path, f)
				}
			}
			if found == None && testing.Verbose() {
				t.Logf("%s: no mail", path)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d files %v, %d messages, %d parts, %d damaged", files, framed, messages, parts, damage)
}
