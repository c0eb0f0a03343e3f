package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"sync"
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

// hash returns the name of a text in a policy: a hash.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
