package state

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	bolt "go.etcd.io/bbolt"
)

// A Known is what the state has about a file.
type Known struct {
	Source   string `json:"source"`
	Device   uint64 `json:"device"`
	Inode    uint64 `json:"inode"`
	Size     int64  `json:"size"`               // size when it was opened last
	Modified string `json:"modified"`           // likewise
	Read     string `json:"read"`               // time when it was opened last
	Stored   int64  `json:"stored"`             // bytes of the file that were read
	Text     int64  `json:"text"`               // bytes of the decompressed stream
	Lines    int64  `json:"lines,omitempty"`    // lines in front of the point where the next run continues; 0 if that is the beginning
	Messages int    `json:"messages,omitempty"` // likewise
	Results  int64  `json:"results"`
	Whole    bool   `json:"whole"` // it was read to its end
}

// A Summary is what the state has about its runs.
type Summary struct {
	Runs    int64  `json:"runs"`
	LastRun string `json:"last_run"`
	Files   int64  `json:"files"`
	URLs    int64  `json:"urls"`
	Output  string `json:"output,omitempty"`
	Length  int64  `json:"output_length,omitempty"`
}

// when returns a time in the form of the records.
func when(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Show calls the function each for every file in the state at path, in the order of their names,
// and returns the summary.
func Show(path string, each func(Known) error) (sum Summary, err error) {
	db, err := open(path, true)
	if err != nil {
		return sum, err
	}
	s := &store{path: path, file: target(path), db: db}
	defer s.close()
	var list []Known
	err = s.view(func(tx *bolt.Tx) error {
		if err := sum.read(tx); err != nil {
			return err
		}
		return tx.Bucket(filesBucket).ForEach(func(k, b []byte) error {
			r, err := parseEntry(k, b)
			if err != nil {
				return err
			}
			sum.Files++
			list = append(list, Known{pathOf(r.name), r.device, r.inode, r.size, when(time.Unix(0, r.modified)), when(time.Unix(r.read, 0)),
				r.place.Stored, r.place.Text, r.place.Lines, r.place.Messages, r.place.Results, r.place.Whole})
			return nil
		})
	})
	if err != nil {
		return sum, s.damaged(err)
	}
	slices.SortFunc(list, func(a, b Known) int { return strings.Compare(a.Source, b.Source) })
	for _, k := range list {
		if err := each(k); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// read sets all fields of s except Files.
func (s *Summary) read(tx *bolt.Tx) error {
	meta := tx.Bucket(metaBucket)
	var numbers [3]uint64
	for i, key := range [...][]byte{runsKey, roundsKey, lastKey} {
		n, err := number(meta, key)
		if err != nil {
			return err
		}
		numbers[i] = n
	}
	s.Runs = int64(numbers[0] - numbers[1])
	if numbers[2] > 0 {
		s.LastRun = when(time.Unix(int64(numbers[2]), 0))
	}
	outs, err := outputsOf(meta)
	if err != nil {
		return err
	}
	if len(outs) > 0 {
		s.Output, s.Length = outs[0].Path, outs[0].Length
	}
	err = tx.Bucket(batchesBucket).ForEach(func(_, b []byte) error {
		s.URLs += int64((len(b) - sumLen) / len(URL{}))
		return nil
	})
	if err != nil {
		return err
	}
	return tx.Bucket(urlsBucket).ForEach(func(_, b []byte) error {
		s.URLs += int64((len(b) - sumLen) / restLen)
		return nil
	})
}

// Print writes the result of Show to w: a line for each file and one for the summary, or JSON
// objects.
func Print(w io.Writer, path string, jsonl bool) error {
	sum, err := Show(path, func(k Known) error {
		if jsonl {
			return printObject(w, k)
		}
		end := "to its end"
		if !k.Whole {
			end = "so far"
		}
		what := ""
		if k.Lines > 0 {
			what = fmt.Sprintf("; continues near line %d", k.Lines+1)
		}
		if k.Messages > 0 {
			what = fmt.Sprintf("; continues at message %d", k.Messages+1)
		}
		_, err := fmt.Fprintf(w, "%s\t%d of %d bytes read %s%s\t%s\n", k.Source, k.Stored, k.Size, end, what, k.Read)
		return err
	})
	if err != nil {
		return err
	}
	if jsonl {
		return printObject(w, sum)
	}
	last := ""
	if sum.LastRun != "" {
		last = ", the last " + sum.LastRun
	}
	_, err = fmt.Fprintf(w, "%d files, %d URLs, %d runs%s\n", sum.Files, sum.URLs, sum.Runs, last)
	return err
}

func printObject(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// Forget removes the files that match the glob from the state at path, so that they are read again,
// and returns their number. For globs see matcher.
func Forget(file, glob string) (n int, err error) {
	if !doublestar.ValidatePattern(glob) {
		return 0, fmt.Errorf("%q is no glob", glob)
	}
	db, err := open(file, false)
	if err != nil {
		return 0, err
	}
	s := &store{path: file, file: target(file), db: db}
	defer s.close()
	matches := matcher(glob, workingDir())
	err = s.update(func(tx *bolt.Tx) error {
		files, former := tx.Bucket(filesBucket), tx.Bucket(formerBucket)
		var gone []*entry
		var old [][]byte
		err := files.ForEach(func(k, b []byte) error {
			r, err := parseEntry(k, b)
			if err == nil && matches(r.name) {
				gone = append(gone, r)
			}
			return err
		})
		if err == nil {
			err = former.ForEach(func(k, b []byte) error {
				r, err := parseEntry(k, b)
				if err == nil && matches(r.name) {
					old = append(old, slices.Clone(k))
				}
				return err
			})
		}
		if err != nil {
			return err
		}
		for _, r := range gone {
			if err := removeFile(tx, r, 0); err != nil {
				return err
			}
		}
		for _, k := range old {
			if err := dropFormer(tx, k); err != nil {
				return err
			}
		}
		n = len(gone)
		return nil
	})
	if err != nil {
		return 0, s.problem(err)
	}
	return n, nil
}
