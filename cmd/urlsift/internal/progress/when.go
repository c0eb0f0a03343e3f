package progress

import "github.com/urlsift/urlsift/cmd/urlsift/internal/names"

// A When says when something for terminals is shown: the progress bar, or colours.
type When uint8

const (
	Auto When = iota // if the output is a terminal that can show it
	Always
	Never
)

// Whens are the names of the Whens, as the constants are listed.
var Whens = []string{"auto", "always", "never"}

// UnmarshalText sets w to the When with that name.
func (w *When) UnmarshalText(name []byte) error { return names.Parse(w, "occasion", name, Whens) }
