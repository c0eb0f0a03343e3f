// Command shapes searches for texts that the scanner of package delimit is slow on.
//
//	shapes [flags]          tries random units until the time is up
//	shapes [flags] UNIT...  measures these units, written as in a Go string
//
// A unit is 1 to 24 significant pieces: brackets, quotes, colons, schemes and other text
// that the rules of delimiting mention. It is repeated until the text has the size that
// -size says, once without a break and once in lines of 8,000 bytes. Half of the units
// are random; the other half are variants of the slowest ones found so far.
//
// The result is a list of the slowest units with their speed in MB a second of processor
// time, slowest first, and the number of candidates for each KB. The speed is the best of
// several runs, so a busy machine rarely makes it low. With the same -seed the same
// random units are tried, but which variants follow depends on the measurements.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/urlsift/urlsift/delimit"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("shapes: ")
	var (
		long   = flag.Duration("for", 20*time.Second, "search for this `long`")
		seed   = flag.Uint64("seed", 1, "`number` that the random units follow from")
		size   = flag.Int("size", 100<<10, "`bytes` of text for each unit")
		show   = flag.Int("show", 20, "list this `many` units")
		extras delimit.Extra
	)
	flag.Func("extras", "also look for these, a `list` of names with commas", func(s string) error {
		return extras.UnmarshalText([]byte(s))
	})
	flag.Parse()
	g := newGauge(*size, delimit.Options{Extras: extras})
	var found []shape
	if flag.NArg() > 0 {
		units, err := unquoted(flag.Args())
		if err != nil {
			log.Fatal(err)
		}
		for _, unit := range units {
			found = append(found, g.best(unit, "", 9), g.best(unit, "\n", 9))
		}
	} else {
		found = search(g, *seed, *long, *show)
	}
	for _, s := range found {
		fmt.Fprintln(os.Stdout, s)
	}
}
