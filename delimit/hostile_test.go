package delimit

import (
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// hostile are pieces of text. If they are repeated, a careless scanner scans the same bytes many
// times.
var hostile = map[string]string{
	"brackets":           "<",
	"colons":             ":",
	"quotes":             `"`,
	"parentheses":        "(",
	"apostrophes":        "'",
	"typographic":        "“",
	"slashes":            "http://",
	"glued":              "http://a/xhttp://b/",
	"glued archive":      "http://a/2001/",
	"unclosed brackets":  "<http://a/\n",
	"unclosed quotes":    "\"http://a/\n",
	"unclosed, one line": "<http://a/",
	"bracketed gaps":     "<http://a/ b c ",
	"prefixes":           "URL:",
	"prefixes, blanks":   "URL: ",
	"angle prefixes":     "<URL:",
	"prefixed, unclosed": "<URL:http://a/\n",
	"hosts":              "http://a/x",
	"short lines":        "<http://a/" + strings.Repeat("\nx", 30) + ">\n",
	"lines too many":     "<http://a/" + strings.Repeat("\nx", 40) + ">\n",
	"short lines, open":  "\"http://a/" + strings.Repeat("\nx\n xx-", 10) + "\n",
	"relative unclosed":  "<URL:a",
	"relative, breaks":   "<URL:a\n",
	"data":               "data:",
	"tags":               "tag:",
	"urns":               "urn:",
	"apostrophe pairs":   "'http://",
	"typographic pairs":  "“http://a/",
	"braces":             "http://a/{",
	"query brackets":     "http://a/?[",
	"braces alone":       "{",
	"partners":           "(http://a/",
	"literals":           "http://[",
	"schemes":            "a.b-c+",
	"scheme colons":      "a.b-c+d:",
	"words":              "mailto",
	"entities":           "http://a/&lt",
	"ampersands":         "http://a/&",
	"escapes":            `http:\/\/a\/`,
	"backslashes":        `\`,
	"hyphens":            "<http://a/-\n",
	"soft hyphens":       "<http://a/\u00ad\u00ad",
	"margins":            "> ",
	"margin lines":       "> <http://a/\n",
	"initials":           "JB> ",
	"blanks":             "<URL:                    ",
	"blank lines":        "<\n\n",
	"at signs":           "a@",
	"dots":               "www.",
	"addresses":          "a.b@c.d",
	"defanged":           "hxxp[:]//a[.]b(.)c",
	"percents":           "http://a/%%%%",
	"trail":              "http://a/.........",
	"closers":            "http://a/))))))))",
	"stars":              "*http://a/***",
	"control":            "http://a/\x1b[0m",
	"broken":             "http://\xff\xfe",
	"Han":                "http://a中文",
	"colour":             "\x1b[",
	"two kinds of marks": "'http://a‘http://b",
	"three kinds":        "‘http://a“http://b«http://c",
	"a mark in a word":   "'http://a'b",
	"broken schemes":     "<file:\n//",
	"colons and breaks":  "a:\n\n>>>",
	"bracket, joints":    "http://a/?[/http://b/",
	"groups":             "http://a/[b]",
	"groups in one path": "[b]c",
	"open groups":        "http://a/[bb",
	"hosts beyond ASCII": "http://❤",
	"dots beyond ASCII":  "http://例。例",
	"symbols":            "http://a/🔥",
	"joiners":            "http://a/b–",
	"emphasis":           "**http://a/**",
	"emphasis, open":     "*a http://a/*",
	"entities escaped":   "http:&#47;&#47;",
	"written colons":     "http&#58;//a/",
	"colons, escaped":    `http\x3a\x2f\x2f`,
	"addresses, written": "mailto&#58;",
	"double escapes":     `http:\\\/\\\/`,
	"escaped marks":      `http://a/\_\(`,
	"drives":             `file:///C:\`,
	"colours":            "http://a\x1b[1m",
	"open phrases":       "(http://a/) ",
	"comments":           "/* http://a/*/b",
	"octets":             "http://a/b\xe9",
	"octets in a row":    "c\xe9",
	"tildes":             "http://a/‾b",
	"particles":          "http://a를",
	"named fields":       "http://a,b=http://",
	"bars":               "http://a/?b|c",
	"keys":               "user=user=a@b.cc ",
	"keys in a row":      "user=",
	"literals of mail":   "a@[",
	"labels":             "a@例.",
	"names, defanged":    "a[.]",
	"names, whole":       "a[.]bb ",
	"names, half":        "a[.b.]",
	"signs, defanged":    "a[at]",
	"dots apart":         "http://a . ",
}

// dearest is the maximum time for a byte of hostile text. A scan to MaxLen that starts again at
// each reference takes longer, although its time is linear.
const dearest = 300 * time.Nanosecond

// size is the size of the hostile text. In the short form, twice the text still fills two windows.
var size = func() int {
	if long {
		return 256 << 10
	}
	return 128 << 10
}()

// TestHostile checks that time is linear: twice the text may take about twice as long, and no byte
// may take longer than dearest.
func TestHostile(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	for i, name := range slices.Sorted(maps.Keys(hostile)) {
		if !long && i%4 > 0 {
			continue
		}
		piece := hostile[name]
		t.Run(name, func(t *testing.T) {
			most := dearest
			if name == "comments" { // for each reference of ten bytes, the line in front of it is examined three times
				most *= 2
			}
			linear(t, strings.Repeat(piece, size/len(piece)), most)
		})
	}
}

// TestHostileRuns checks the same for runs of bounded length. The time for each run must be
// proportional to its length.
func TestHostileRuns(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	for name, piece := range map[string]string{
		"8 KiB of path":     "http://a/" + strings.Repeat("x", 8000) + "\n",
		"8 KiB of colons":   "http://a/" + strings.Repeat(":", 8000) + "\n",
		"8 KiB of brackets": "http://a/?" + strings.Repeat("[", 8000) + "\n",
		"8 KiB of tail":     "http://a/" + strings.Repeat(").", 4000) + "\n",
		"8 KiB in angles":   "<http://a/" + strings.Repeat("x:", 4000) + "\n\n",
		"8 KiB in quotes":   "\"http://a/" + strings.Repeat("x\n", 31) + strings.Repeat("y", 8000) + "\n\n",
		"too long":          "http://a/" + strings.Repeat("y:", 8192) + "\n",
		"margin of 1000":    strings.Repeat("> ", 1000) + "<http://a/\n" + strings.Repeat("> ", 1000) + "b>\n",
	} {
		t.Run(name, func(t *testing.T) {
			linear(t, strings.Repeat(piece, 1+size/len(piece)), time.Second)
		})
	}
}

// TestHostileRejected checks the same for runs of text that looks like references but is none. A
// careless scanner would scan from each to the end of the run.
func TestHostileRejected(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	for i, piece := range []string{
		"http://?u=", "http://a@/?u=", "ftp://:", "'http://-?u=", "URL:http://#", "tag:a?", "data:x?", "tel:a=",
		"http://&?u=", "http://{}?u=", "http://(?u=", "http://\u00b4?u=", "http://a&@/?u=", "http://a{@/}", "https://:)x-a:", `http:\/\/#`, `http:\/\/\u0026?`,
		"“http://?", "tag:(.)", "data:[:]", "stun:[dot]", `doi:\/`, "http[:]//[dot]?", "http://:[at]?", "hxxp[:]//-?",
		"www.http:", "www.a:/", "www.a,", "www.a.b,", "www.«", `www.a:\u0026`, "did:{", "foo://{", "http://@{a/",
		"mailto:x:", "mailto:te&", "mid:x:", "nntp:a:", "skype:a:", "geo:1:", "about:", "jdbc:mailto:x:",
		`\u0026://`, "http[://]-[/]", "http[://][:]x-foo:bar=",
		"sip:a", "cid:a", "bitcoin:a", "sms:1", "mailto&#58;a", "http&#58;//-?", `http\x3a//#`, "evil[.]1", "1[.]2[.]3", "http://a[d]b/", `http://a\.b/`,
	} {
		if !long && i%4 > 0 {
			continue
		}
		t.Run(piece, func(t *testing.T) {
			run := strings.Repeat(piece, 8000/len(piece)) + "\n"
			linear(t, strings.Repeat(run, size/len(run)), dearest)
		})
	}
}

// TestHostileOpen checks that the Scanner searches for a closing bracket only once. Otherwise it
// would scan each byte of these texts up to maxNest times, and they would take that much longer
// than the same text with a space after each unit.
func TestHostileOpen(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	const most = 6
	for i, unit := range []string{
		"({foo://&&", "{foo://#&", "[hxxp://&?", "({urn:&&", "{(http://&", "{&news:{news:(at)", "{{foo://#}&",
		"&l&&sl&sip:{&:urn:", "&ip://:{&:ur&:", "&ip://:{&rn:中", "(foo://{(&#)", `{foo:\/\/{}&&`,
	} {
		if !long && i%4 > 0 {
			continue
		}
		t.Run(unit, func(t *testing.T) {
			linear(t, strings.Repeat(unit, size/len(unit)), dearest)
			ratio := 0.0
			for range 4 { // try again, because the machine may be busy
				open := timeOf(t, strings.Repeat(unit, size/len(unit)), 0)
				shut := timeOf(t, strings.Repeat(unit+" ", size/(len(unit)+1)), 0)
				if ratio = float64(open) / float64(shut); ratio <= most {
					return
				}
			}
			t.Errorf("open brackets take %.1f times as long as those that a space cuts off", ratio)
		})
	}
}

// TestHostileUnits is TestHostileRejected for runs of random pieces.
func TestHostileUnits(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	r := rand.New(rand.NewPCG(7, 8))
	units := 300
	if !long {
		units = 100
	}
	for range units {
		unit := randomText(r, 1+r.IntN(4))
		run := strings.Repeat(unit, 1+8000/len(unit)) + "\n"
		for _, extras := range []Extra{0, Abbreviated | Defanged | Rejoin | Address} {
			text := strings.Repeat(run, 1+(32<<10)/len(run))
			each := time.Hour
			for range 3 { // try again, because the machine may be busy
				if each = min(each, timeOf(t, text, extras)/time.Duration(len(text))); each <= dearest {
					break
				}
			}
			if each > dearest {
				t.Errorf("%q, extras %v: a byte costs %v", unit, extras, each)
			}
		}
	}
}

// linear checks that twice the text takes about twice as long at most, with all extras and on the
// fast path, and that no byte takes longer than most. It measures again if a pair is bad, because the
// machine may be busy.
func linear(t *testing.T, one string, most time.Duration) {
	t.Helper()
	two := one + one
ways:
	for i, extras := range []Extra{0, Abbreviated | Defanged | Rejoin | Address} {
		if !long && i != len(one)%2 {
			continue
		}
		var ratio float64
		var each time.Duration
		for range 8 {
			a, b := timeOf(t, one, extras), timeOf(t, two, extras)
			each = b / time.Duration(len(two))
			if ratio = float64(b) / float64(a); ratio <= 3 && each <= most {
				continue ways
			}
		}
		t.Errorf("extras %v: twice the text takes %.1f times as long; a byte costs %v", extras, ratio, each)
	}
}

// timeOf returns the time of a scan of text, with extras.
func timeOf(t *testing.T, text string, extras Extra) time.Duration {
	t.Helper()
	s := NewScanner(strings.NewReader(text), Options{Extras: extras})
	start := clock()
	var c Candidate
	for {
		if err := s.Next(&c); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return max(clock()-start, 200*time.Microsecond) // shorter times mostly measure the clock and the first read
}
