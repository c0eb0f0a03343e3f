// Package names finds the value of a flag that is one of a few words.
package names

import (
	"fmt"
	"slices"
	"strings"
)

// Parse sets to to the index of name in all, which has the names of the constants of T in their
// order. If name is not in all, it returns an error that lists them; what says what they are names
// of.
func Parse[T ~uint8](to *T, what string, name []byte, all []string) error {
	i := slices.Index(all, string(name))
	if i < 0 {
		return fmt.Errorf("no %s is called %q (there are %s)", what, name, strings.Join(all, ", "))
	}
	*to = T(i)
	return nil
}
