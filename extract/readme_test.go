package extract_test

import (
	"context"
	"fmt"
	"log"

	"github.com/urlsift/urlsift/extract"
)

// The example of README.md for the library.
func Example_readme() {
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range x.Run(context.Background(), extract.Walk("../fixtures/text/appendix-e.txt")) {
		if err != nil {
			log.Print(err) // the error concerns one source; the others are read
			continue
		}
		if r.Candidate.Breaks > 0 {
			fmt.Printf("line %d: %s\n", r.Origin.Line, r.URL)
		}
	}
	// Output:
	// line 6: ftp://ds.internic.net/rfc/
	// line 7: http://ds.internic.net/instructions/overview.html#WARNING
	// line 13: ftp://ds.internic.net/rfc/
	// line 14: http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING
	// line 33: http://example.com/a/b/c
	// line 37: http://example.com/hyphen-ated.html
}
