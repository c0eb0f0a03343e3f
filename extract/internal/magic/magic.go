// Package magic recognises formats by the first bytes of a stream.
//
//	numbers := magic.NewNumbers([]magic.Number[int]{{Head: "\x1f\x8b\x08", Is: 1}})
//	is, wait := numbers.Match(head, whole)
//
// Names play no part here. Match asks for more bytes only while they may complete
// a magic number: a pipe whose first byte is 'h' is text at once.
//
// The package imports nothing of ours.
package magic

import "strings"

// A Number describes how the streams of a format begin. If Head does not suffice to recognise the
// format, Decide is set and decides. Decide gets all bytes that were read, and whether these are
// all that may be examined. It returns the zero T for other streams; wait says that more bytes
// may change the answer.
type Number[T comparable] struct {
	Head   string
	Is     T
	Decide func(head []byte, whole bool) (is T, wait bool)
}

// Numbers are the magic numbers of several formats.
type Numbers[T comparable] struct {
	numbers [256][]Number[T] // by the first byte of Head: few texts begin with one of these
}

// NewNumbers returns Numbers with these numbers, none of which has an empty Head.
func NewNumbers[T comparable](numbers []Number[T]) *Numbers[T] {
	t := new(Numbers[T])
	for _, n := range numbers {
		t.numbers[n.Head[0]] = append(t.numbers[n.Head[0]], n)
	}
	return t
}

// Match compares head, the beginning of a stream, with each magic number. whole says that
// head is the whole stream, or all that may be examined. wait reports that more bytes may
// change the answer. If no format is recognised, kind is the zero T.
func (t *Numbers[T]) Match(head []byte, whole bool) (kind T, wait bool) {
	var none T
	if len(head) == 0 {
		return none, !whole
	}
	numbers := t.numbers[head[0]]
	for i := range numbers {
		n := &numbers[i]
		if len(head) < len(n.Head) {
			wait = wait || strings.HasPrefix(n.Head, string(head))
			continue
		}
		if string(head[:len(n.Head)]) != n.Head {
			continue
		}
		if n.Decide == nil {
			return n.Is, false
		}
		is, more := n.Decide(head, whole)
		if is != none {
			return is, more
		}
		wait = wait || more
	}
	return none, wait && !whole
}
