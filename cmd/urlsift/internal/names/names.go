// Package names finds the value of a flag that is one of a few words, and the word that a wrong one may mean.
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

// Distance returns how many letters must be inserted, removed, changed, or swapped with
// their neighbour to get from a to b, or limit if that number is not less than limit. It
// keeps three rows of the usual table. Names are short.
func Distance(a, b string, limit int) int {
	if len(a) > 64 || len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	// row[j] is the distance between a[:i] and b[:j]. The row last is for a[:i-1]. The row before
	// is for a[:i-2]; swaps need it.
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}
