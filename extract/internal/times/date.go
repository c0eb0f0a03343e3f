package times

import (
	"slices"
	"strings"
	"time"
)

// The standard library has a parser for the dates of messages, in net/mail. It is
// not used here: package net brings cgo, which needs a C compiler and half a
// gigabyte of address space, and zone names would be those of the machine.

// dateLayouts are the orders in which dates are written: that of RFC 5322, section 3.3;
// those of asctime, with the zone in front of the year and after it; and mixtures of these
// that old programs wrote. The most frequent comes first. normalDate brings months, years,
// times and zones into one form first.
var dateLayouts = [...]string{
	"2 Jan 2006 15:4:5 -0700",
	"Jan 2 15:4:5 -0700 2006",
	"Jan 2 15:4:5 2006 -0700",
	"Jan 2 2006 15:4:5 -0700",
	"2 Jan 15:4:5 2006 -0700",
	"2 Jan 15:4:5 -0700 2006",
	"Jan 2 15:4:5 2006", // no zone, so UTC: pipermail writes asctime's form
	"2 Jan 2006 15:4:5",
	"Jan 2 2006 15:4:5",
	"2 Jan 15:4:5 2006",
}

// zoneOffsets are the zone names of RFC 5322, section 4.3. Other names are not
// unique: BST is a zone in Britain and another in the Bering Strait. By that section they count as
// UTC.
var zoneOffsets = map[string]string{
	"UT": "+0000", "GMT": "+0000", "UTC": "+0000", "Z": "+0000",
	"EDT": "-0400", "EST": "-0500", "CDT": "-0500", "CST": "-0600",
	"MDT": "-0600", "MST": "-0700", "PDT": "-0700", "PST": "-0800",
}

// Parse returns the time that the value of a Date field says. It returns false if it is not in
// a form of RFC 5322 (sections 3.3 and 4.3), RFC 850, RFC 3339, asctime or old news programs.
// Without a zone, or with one whose name RFC 5322 does not define and has at most five letters, it is in UTC.
func Parse(date string) (time.Time, bool) {
	if len(date) > 4 && date[4] == '-' {
		t, err := time.ParseInLocation(time.RFC3339, date, time.UTC)
		return t, err == nil
	}
	words := dateWords(date)
	if len(words) < 4 || len(words) > maxDateWords {
		return time.Time{}, false
	}
	leap := normalDate(words)
	if isName(words[0]) { // a weekday, or a month
		if t, ok := parseDate(words[1:], leap); ok {
			return t, true
		}
	}
	return parseDate(words, leap)
}

// maxDateWords is the number of words in the longest date that is understood: the
// weekday, five words of a layout, and the name of a zone that has an offset too.
const maxDateWords = 7

// parseDate tries each layout on the words of a date. If leap is true it adds the second
// that normalDate has removed.
func parseDate(words []string, leap bool) (time.Time, bool) {
	// After an offset the zone's name is redundant.
	if n := len(words); n > 5 && isOffset(words[n-2]) && isName(words[n-1]) {
		words = words[:n-1]
	}
	text := strings.Join(words, " ")
	for _, layout := range dateLayouts {
		if t, err := time.ParseInLocation(layout, text, time.UTC); err == nil {
			if leap {
				t = t.Add(time.Second)
			}
			return t, true
		}
	}
	return time.Time{}, false
}

// dateWords splits s into words. White space and commas separate words; so do the hyphens of
// 2-Jan-98, and the sign of an offset that directly follows the time. Comments in parentheses are
// removed; they may be nested (RFC 5322, section 3.2.2).
func dateWords(s string) []string {
	text := make([]byte, 0, len(s)+1)
	depth, clock := 0, false // nesting of comments; whether the current word has a colon
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && depth > 0:
			i++
		case c == '(':
			depth++
			text, clock = append(text, ' '), false
		case c == ')' && depth > 0:
			depth--
		case depth > 0:
		case c <= ' ' || c == ',':
			text, clock = append(text, ' '), false
		case clock && (c == '-' || c == '+'):
			text, clock = append(text, ' ', c), false
		case c == '-' && len(text) > 0 && text[len(text)-1] != ' ':
			text = append(text, ' ')
		default:
			text, clock = append(text, c), clock || c == ':'
		}
	}
	return strings.Fields(string(text))
}

// normalDate changes words to the form of the layouts: months of three letters, times with
// seconds, and by RFC 5322, section 4.3, years of four digits and zones as offsets. A leap
// second, which package time does not know, is replaced by the second in front of it, and
// normalDate returns true.
func normalDate(words []string) (leap bool) {
	numbers, clock := 0, false
	for i, w := range words { // at most maxDateWords
		switch {
		case isNumber(w):
			if numbers++; numbers > 1 {
				words[i] = fullYear(w)
			}
		case strings.Count(w, ":") == 1:
			words[i], clock = w+":0", true
		case strings.Count(w, ":") == 2:
			if clock = true; strings.HasSuffix(w, ":60") {
				words[i], leap = w[:len(w)-2]+"59", true
			}
		case i > 0 && isOffset(words[i-1]): // the name of that zone
		case zoneOffsets[strings.ToUpper(w)] != "":
			words[i] = zoneOffsets[strings.ToUpper(w)]
		case clock && isZoneName(w):
			words[i] = "-0000"
		case len(w) > 3:
			if _, err := time.Parse("January", w); err == nil {
				words[i] = w[:3]
			}
		}
	}
	return leap
}

// fullYear returns a year of two or three digits as one of four: 00 to 49 are in
// this century, 50 to 99 in the last, and three digits count from 1900 (RFC 5322,
// section 4.3). Other numbers are returned unchanged.
func fullYear(w string) string {
	switch {
	case len(w) == 2 && w < "50":
		return "20" + w
	case len(w) == 2:
		return "19" + w
	case len(w) == 3 && w[0] == '0':
		return "19" + w[1:]
	case len(w) == 3:
		return string([]byte{'2', w[0] - 1, w[1], w[2]})
	}
	return w
}

// isNumber reports whether w is all digits.
func isNumber(w string) bool {
	return !slices.ContainsFunc([]byte(w), func(c byte) bool { return c < '0' || c > '9' })
}

// isName reports whether w begins like a name, not like a number or an offset.
func isName(w string) bool { return !isNumber(w[:1]) && w[0] != '+' && w[0] != '-' }

// isZoneName reports whether w may be the name of a zone: up to five letters, and no half of a day.
func isZoneName(w string) bool {
	notLetter := func(c byte) bool { return c|0x20 < 'a' || c|0x20 > 'z' }
	return len(w) <= 5 && !slices.ContainsFunc([]byte(w), notLetter) && !strings.EqualFold(w, "AM") && !strings.EqualFold(w, "PM")
}

// isOffset reports whether w is a zone like +0100.
func isOffset(w string) bool {
	return len(w) == 5 && (w[0] == '+' || w[0] == '-') && isNumber(w[1:])
}
