package progress

import (
	"fmt"
	"slices"
	"strings"
)

// A When says when the progress bar is shown.
type When uint8

const (
	Auto When = iota // if standard error is a terminal that can redraw a line
	Always
	Never
)

// Whens are the names of When, in its order.
var Whens = []string{"auto", "always", "never"}

// UnmarshalText sets w to the When with that name.
func (w *When) UnmarshalText(name []byte) error {
	i := slices.Index(Whens, string(name))
	if i < 0 {
		return fmt.Errorf("no occasion is called %q (there are %s)", name, strings.Join(Whens, ", "))
	}
	*w = When(i)
	return nil
}
