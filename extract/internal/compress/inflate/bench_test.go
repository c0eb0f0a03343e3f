//go:build unix

package inflate

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

// gzips has the decompressors that BenchmarkFiles compares. Each decompresses a member and discards
// the text.
var gzips = []struct {
	name string
	read func(in *bufio.Reader) (io.Reader, error)
}{
	{"klauspost", func() func(*bufio.Reader) (io.Reader, error) {
		z := new(gzip.Reader)
		return func(in *bufio.Reader) (io.Reader, error) {
			err := z.Reset(in)
			z.Multistream(false)
			return z, err
		}
	}()},
	{"inflate", func() func(*bufio.Reader) (io.Reader, error) {
		z := new(Gzip)
		return func(in *bufio.Reader) (io.Reader, error) { return z, z.Reset(in) }
	}()},
	{"safe", func() func(*bufio.Reader) (io.Reader, error) {
		z := new(Gzip)
		z.deflate.dec.safe = true
		return func(in *bufio.Reader) (io.Reader, error) { return z, z.Reset(in) }
	}()},
}

// programs are other decompressors, used if they are installed. The time for an empty file is
// subtracted.
var programs = [][]string{{"igzip", "-dc"}, {"pigz", "-p1", "-dc"}, {"libdeflate-gunzip", "-c"}}

// BenchmarkFiles compares decompressors on the files that URLSIFT_FILES names, separated by
// colons, compressed by gzip at levels 1, 6 and 9, and cut into members of 1, 4 and 16 KiB.
// The decompressors take turns. It prints the medians of 5 runs, in MB of text per second of
// processor time, and how much faster package inflate is than klauspost:
//
//	URLSIFT_FILES=access.log:prose.txt go test -run '^$' -bench Files -benchtime 1x
//
// Without files it reads a sample.
func BenchmarkFiles(b *testing.B) {
	files := filepath.SplitList(os.Getenv("URLSIFT_FILES"))
	if len(files) == 0 {
		name := filepath.Join(b.TempDir(), "sample")
		check(b, os.WriteFile(name, sample(2<<20), 0o600))
		files = []string{name}
	}
	for range b.N {
		var times, igzip []float64
		for _, name := range files {
			text, err := os.ReadFile(name)
			check(b, err)
			for _, how := range []string{"-1", "-6", "-9", "1", "4", "16"} {
				row := measure(b, text, how)
				line := fmt.Sprintf("%-12s %3s", filepath.Base(name), how)
				for _, r := range row {
					line += fmt.Sprintf("  %s %.0f", r.name, r.speed)
				}
				faster := row[1].speed / row[0].speed
				fmt.Printf("%s  ratio %.2f\n", line, faster)
				if strings.HasPrefix(how, "-") {
					times = append(times, faster)
					for _, r := range row {
						if r.name == "igzip" {
							igzip = append(igzip, row[1].speed/r.speed)
						}
					}
				}
			}
		}
		fmt.Printf("geometric mean: %.2f times klauspost, %.2f of igzip\n", mean(times), mean(igzip))
	}
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(v)))
}

type result struct {
	name  string
	speed float64 // MB of text per second, by the median processor time
}

// measure returns the speeds of all decompressors for text, compressed with the option how.
func measure(b *testing.B, text []byte, how string) (row []result) {
	text, packed := pack(b, text, how)
	name := filepath.Join(b.TempDir(), "packed.gz")
	check(b, os.WriteFile(name, packed, 0o600))
	empty := filepath.Join(b.TempDir(), "empty.gz")
	cmd := exec.Command("gzip", "-c")
	none, err := cmd.Output()
	check(b, err)
	check(b, os.WriteFile(empty, none, 0o600))
	times := map[string][]time.Duration{}
	for range 5 {
		for _, z := range gzips {
			times[z.name] = append(times[z.name], consume(b, packed, z.read))
		}
		for _, p := range programs {
			if _, err := exec.LookPath(p[0]); err == nil && strings.HasPrefix(how, "-") {
				times[p[0]] = append(times[p[0]], process(b, p, name)-process(b, p, empty))
			}
		}
	}
	for name, t := range times {
		slices.Sort(t)
		row = append(row, result{name, float64(len(text)) / 1e6 / t[len(t)/2].Seconds()})
	}
	rank := func(r result) int {
		return slices.IndexFunc([]string{"klauspost", "inflate", "safe", "igzip", "libdeflate-gunzip", "pigz"}, func(n string) bool { return n == r.name })
	}
	slices.SortFunc(row, func(a, b result) int { return cmp.Compare(rank(a), rank(b)) })
	return row
}

// pack compresses text by gzip with the option how, or the beginning of text in members of that
// many KiB. It returns the compressed bytes and the text that it used.
func pack(b *testing.B, text []byte, how string) (taken, packed []byte) {
	if strings.HasPrefix(how, "-") {
		cmd := exec.Command("gzip", "-c", how)
		cmd.Stdin = bytes.NewReader(text)
		packed, err := cmd.Output()
		check(b, err)
		return text, packed
	}
	size, err := strconv.Atoi(how)
	check(b, err)
	text = text[:min(len(text), 8<<20)]
	var all bytes.Buffer
	w := gzip.NewWriter(&all)
	for part := range slices.Chunk(text, size<<10) {
		w.Reset(&all)
		_, err := w.Write(part)
		check(b, err)
		check(b, w.Close())
	}
	return text, all.Bytes()
}

// consume decompresses all members of packed. It returns the processor time.
func consume(b *testing.B, packed []byte, begin func(*bufio.Reader) (io.Reader, error)) time.Duration {
	in := bufio.NewReaderSize(bytes.NewReader(packed), 64<<10)
	p := make([]byte, 128<<10)
	start := used()
	for {
		z, err := begin(in)
		if err == io.EOF {
			return used() - start
		}
		for err == nil {
			_, err = z.Read(p)
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	}
}

func used() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// process returns the processor time of a program that decompresses a file.
func process(b *testing.B, program []string, name string) time.Duration {
	cmd := exec.Command(program[0], append(slices.Clone(program[1:]), name)...)
	check(b, cmd.Run())
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
