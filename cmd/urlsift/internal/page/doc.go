// Package page makes the report: one HTML page about the results of a run.
//
//	c := page.New(o)
//	defer c.Close()
//	for r := range x.Run(ctx, sources) {
//		c.Add(r)
//	}
//	text, err := c.Page(x.Stats())
//
// Sums are counted by package count, so memory is bounded. All sections are in one Counter:
// a key begins with the letter of its section (collect.go). The page is made of a model
// (model.go, timeline.go) with html/template (page.go, page.html, page.css).
//
// # Views
//
// The page holds the most frequent URLs, with facts and places (held.go), as JSON (data.go). A script (page.js)
// filters them, and draws what is left. A fact is how many references to one URL are in one source, by one
// author, in some newsgroups, in one unit of time. A place is where a reference stands. The filters are in
// the fragment of the address, so an address is a view.
//
// # Bounds
//
// Options.Rows bounds the URLs, mostFacts and mostHeld the facts and places, listMemory the names of
// sources, authors and newsgroups. With too many facts, the unit of time becomes larger. What is left out is
// counted, and the page says so.
//
// # Safety
//
// The page has no link and loads nothing, which its policy enforces. The policy names the hashes of our style and
// our script; browsers never execute the element with the data, so the policy need not name it. It can be
// read without scripts: then it has tables of the first rows. Control characters and characters
// that change the direction of text are shown as escapes, and the script makes text nodes of
// all text, never HTML.
package page
