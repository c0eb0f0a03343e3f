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
// (model.go, timeline.go) with html/template (page.go, page.html, page.css, page.js).
//
// The page has no link and loads nothing, which its policy enforces. It can be read without
// scripts. Its size is bounded: the rows of a table and the length of a cell have limits,
// and the page says how many rows there would be. Control characters and characters that
// change the direction of text are shown as escapes.
package page
