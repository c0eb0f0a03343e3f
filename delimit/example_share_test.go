package delimit_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urlsift/urlsift/delimit"
)

// A checkpoint is a reader without text. It stands between two readers, and is called when the
// first one has been read. It returns io.EOF to go on with the second one; any other error ends
// the scan.
type checkpoint func() error

func (c checkpoint) Read([]byte) (int, error) { return 0, c() }

// Two goroutines scan one text, each one half of it. The first one reads a little further than its
// half, up to a line that the second one has also reached. If their States agree there, the
// candidates of the second one follow those of the first one. Otherwise the first one reads on.
func ExampleState_Agrees() {
	text := strings.Repeat("See <http://example.org/\n  a> and http://example.org/b\n", 1000)
	nextLine := func(at int) int { return at + strings.IndexByte(text[at:], '\n') + 1 }
	half := nextLine(len(text) / 2)
	meet := nextLine(half + 4096)
	scanFrom := func(s *delimit.Scanner, from int, atMeet checkpoint) {
		s.Reset(io.MultiReader(strings.NewReader(text[from:meet]), atMeet, strings.NewReader(text[meet:])))
	}

	// The second goroutine sends its State at the line where they meet, and then what it found
	// after that line.
	states := make(chan delimit.State, 1)
	rests := make(chan []delimit.Candidate, 1)
	go func() {
		var rest []delimit.Candidate
		met := false
		s := delimit.NewScanner(nil, delimit.Options{})
		scanFrom(s, half, func() error {
			states <- s.State()
			met = true
			return io.EOF
		})
		for c := range s.All() {
			if met { // the first goroutine finds what is in front of that line
				rest = append(rest, c.Clone())
			}
		}
		rests <- rest
	}()

	// The first goroutine stops at that line if the States agree.
	var found []delimit.Candidate
	var here, there delimit.State
	agreed := errors.New("the States agree")
	s := delimit.NewScanner(nil, delimit.Options{})
	scanFrom(s, 0, func() error {
		here, there = s.State(), <-states
		if here.Agrees(there) {
			return agreed
		}
		return io.EOF
	})
	for c, err := range s.All() {
		if err == agreed {
			break
		}
		found = append(found, c.Clone())
	}
	fmt.Println(len(found), "candidates of the first goroutine")

	// Offsets and lines of the second one count from the beginning of its half.
	if rest := <-rests; here.Agrees(there) {
		for _, c := range rest {
			c.Line += here.Line - there.Line
			c.Inner.Start += here.Offset - there.Offset
			c.Inner.End += here.Offset - there.Offset
			found = append(found, c)
		}
	}
	last := found[len(found)-1]
	fmt.Printf("%d of both; the last is %s in line %d\n", len(found), text[last.Inner.Start:last.Inner.End], last.Line)
	// Output:
	// 1150 candidates of the first goroutine
	// 2000 of both; the last is http://example.org/b in line 2000
}
