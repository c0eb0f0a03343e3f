package refs

import (
	"errors"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// explain returns the message of err, with the passwords of text replaced as in hidden,
// and the offset of the error in hidden, or -1.
//
// text and hidden differ only between the start of the first password and the end of the
// last. An error between these gets the offset of the first password.
func explain(err error, text, hidden string) (message string, offset int) {
	if message = err.Error(); text != hidden {
		message = extract.RedactedError(err)
	}
	var e *uri.Error
	if !errors.As(err, &e) || e.Text != text {
		return message, -1
	}
	if text == hidden {
		return message, e.Offset
	}
	start, end := 0, len(text)
	for start < len(hidden) && start < end && text[start] == hidden[start] { // at most len(text) iterations
		start++
	}
	for n := len(hidden); end > start && n > start && text[end-1] == hidden[n-1]; n-- { // likewise
		end--
	}
	if e.Offset >= end {
		return message, e.Offset + len(hidden) - len(text)
	}
	return message, min(e.Offset, start)
}

// brief returns fault, the message of an error about text, without the text and the name of
// package uri.
func brief(fault, text string) string {
	return strings.TrimPrefix(strings.TrimSuffix(fault, ": "+quote(text)), "uri: ")
}

// quote quotes at most 100 bytes of text, as messages of uri do.
func quote(text string) string {
	if len(text) > 100 {
		return strconv.Quote(text[:100]) + "…"
	}
	return strconv.Quote(text)
}

// withoutPassword returns text with its passwords replaced.
func withoutPassword(text string) string {
	return string(new(extract.Redactor).AppendReference(nil, []byte(text)))
}
