package refs

import (
	"errors"
	"fmt"

	"github.com/urlsift/urlsift/uri"
)

// Compare compares the two references of o. The exit status is the answer. If there is no
// answer, it reports an error.
func Compare(o Options) (status int, err error) {
	j, err := New(o)
	if err != nil {
		return failed, err
	}
	if len(o.Refs) != 2 {
		return failed, fmt.Errorf("equal wants two references, and was given %d", len(o.Refs))
	}
	one, other := j.read(o.Refs[0]), j.read(o.Refs[1])
	equal, known, err := uri.Equal(one, other, j.grammar)
	var e *uri.Error
	switch {
	case errors.As(err, &e):
		fault, _ := explain(err, e.Text, withoutPassword(e.Text))
		return failed, errors.New(fault)
	case err != nil:
		return failed, err
	case equal:
		return areEqual, nil
	case known:
		return areNot, nil
	}
	hint := ""
	newest := uri.Every.Newest() // newer documents have more rules
	if _, known, _ := uri.Equal(one, other, newest); known {
		hint = "; try --grammar " + newest.String()
	}
	return failed, fmt.Errorf("%s has no rule to compare them by%s", j.grammar.Newest(), hint)
}

// The exit statuses: 0 if all references are accepted, 1 if one is refused, 2 if
// something cannot be read or written. [Compare] returns the exit statuses of cmp.
const (
	allTaken    = 0
	someRefused = 1
	failed      = 2

	areEqual = 0
	areNot   = 1
)
