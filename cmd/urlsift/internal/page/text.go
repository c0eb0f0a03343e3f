package page

import (
	"strconv"
	"strings"
	"time"

	"github.com/urlsift/urlsift/extract/record"
)

// number returns n with narrow spaces between groups of three digits.
func number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString("\u202f")
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// percent returns n as a percentage of all.
func percent(n, all int64) string {
	if all == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(n)/float64(all), 'f', 1, 64) + " %"
}

func day(at int64) string { return time.Unix(at, 0).UTC().Format(time.DateOnly) }

// pieces returns text in pieces, between which a browser may break the line: after a dot, or what separates
// parts of a URL.
func pieces(text string) (some []string) {
	for text != "" {
		n := strings.IndexAny(text, "./?&=@_-")
		if n < 0 {
			return append(some, text)
		}
		for n < len(text) && strings.IndexByte("./?&=@_-", text[n]) >= 0 {
			n++
		}
		some = append(some, text[:n])
		text = text[n:]
	}
	return some
}

// visible returns text for the page: cut, and with escapes for invisible characters.
func visible[T string | []byte](text T, most int) string {
	cut := ""
	if len(text) > most {
		text, cut = T(strings.ToValidUTF8(string(text[:most]), "")), "…"
	}
	return string(record.AppendVisible(nil, text)) + cut
}
