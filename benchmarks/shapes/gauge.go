package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/urlsift/urlsift/delimit"
)

// lineLen is the length of a line in texts with lines. It is a little less than the maximum
// length of a reference, so that no line is skipped as too long.
const lineLen = 8000

// A shape is a unit, and the speed of scanning a text of it.
type shape struct {
	unit    string
	line    string  // what ends each line, or ""
	speed   float64 // MB a second of processor time
	density float64 // candidates for each KB
}

// String returns a line of the list that the command prints.
func (s shape) String() string {
	lines := "one line"
	if s.line != "" {
		lines = "lines"
	}
	return fmt.Sprintf("%8.1f MB/s %7.1f /KB  %-8s  %q", s.speed, s.density, lines, s.unit)
}

// A gauge measures texts with one scanner.
type gauge struct {
	size    int
	scanner *delimit.Scanner
}

func newGauge(size int, opts delimit.Options) *gauge {
	return &gauge{size: size, scanner: delimit.NewScanner(strings.NewReader(""), opts)}
}

// text returns the text of a unit. line ends each line, or is "".
func (g *gauge) text(unit, line string) string {
	if line == "" {
		return strings.Repeat(unit, 1+g.size/len(unit))
	}
	one := strings.Repeat(unit, max(1, lineLen/len(unit))) + line
	return strings.Repeat(one, 1+g.size/len(one))
}

// best measures the text of a unit in several runs, and returns the best.
func (g *gauge) best(unit, line string, runs int) shape {
	text := g.text(unit, line)
	least, found := time.Hour, 0
	for range runs {
		took, n := g.once(text)
		least, found = min(least, took), n
	}
	bytes := float64(len(text))
	return shape{unit, line, bytes / 1e6 / least.Seconds(), 1024 * float64(found) / bytes}
}

// once scans text, and returns the time it took and the number of candidates.
func (g *gauge) once(text string) (took time.Duration, found int) {
	g.scanner.Reset(strings.NewReader(text))
	start := clock()
	var c delimit.Candidate
	for {
		err := g.scanner.Next(&c)
		if err == io.EOF {
			return max(clock()-start, time.Microsecond), found
		}
		if err != nil {
			panic(err) // a string has no other error
		}
		found++
	}
}

// clock returns the processor time that this process has used. Other work on the machine
// disturbs it less than it disturbs the time of day.
func clock() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// unquoted returns the units in the arguments, with the escapes of Go decoded.
func unquoted(args []string) (units []string, err error) {
	for _, arg := range args {
		unit, err := strconv.Unquote(`"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`)
		if err != nil || unit == "" {
			return nil, fmt.Errorf("%q is not a unit: write it as in a Go string", arg)
		}
		units = append(units, unit)
	}
	return units, nil
}
