package compress

import "strings"

// A cause wraps an error of a library that puts its own name in front of its messages. A Damage
// names the format already, and the name of the library may be wrong: the library s2 reads snappy
// too. So text is the message without the name, or one that says more. A program finds err with
// errors.Is.
type cause struct {
	text string
	err  error
}

func (c *cause) Error() string { return c.text }
func (c *cause) Unwrap() error { return c.err }

// causeOf returns err, which has ended a stream of kind is, or the cause that has it.
func causeOf(err error, is Kind) error {
	library := kinds[is].library
	if library == "" {
		return err
	}
	if text, named := strings.CutPrefix(err.Error(), library+": "); named {
		return &cause{text, err}
	}
	return err
}
