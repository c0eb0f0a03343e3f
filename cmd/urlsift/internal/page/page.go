package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"sync"

	"github.com/urlsift/urlsift/extract"
)

//go:embed page.html
var source string

//go:embed page.css
var style string

//go:embed page.js
var script string

// parsed returns the template. The template is parsed when it is first used, so that commands that
// make no page start without it.
var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"style":  func() template.CSS { return template.CSS(style) },
		"script": func() template.JS { return template.JS(script) },
		"pieces": pieces,
		"number": number,
	}).Parse(source))
})

// Page returns the page. Nothing can be added afterwards.
func (c *Collector) Page(s extract.Stats) ([]byte, error) {
	m, err := c.model(s)
	if err != nil {
		return nil, err
	}
	m.Policy = "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script) + "'; base-uri 'none'; form-action 'none'"
	var b bytes.Buffer
	if err := parsed().Execute(&b, m); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// hash returns the name of a text in a policy: a hash.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
