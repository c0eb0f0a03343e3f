// Package names finds the value of a flag that is one of a few words.
package names

import (
	"fmt"
	"slices"
	"strings"
)

// Parse sets *to to the index of name in the slice all, which has the names of the constants of T
// in their order. If the slice does not have name, Parse returns an error that lists all names; the
// text in what says what is named.
func Parse[T ~uint8](to *T, what string, name []byte, all []string) error {
	i := slices.Index(all, string(name))
	if i < 0 {
		return fmt.Errorf("no %s is called %q (there are %s)", what, name, strings.Join(all, ", "))
	}
	*to = T(i)
	return nil
}
