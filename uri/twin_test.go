package uri_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// shards are pieces of references. Texts of random pieces are references far more often
// than random bytes.
var shards = strings.Fields(`http ftp telnet gopher wais prospero afs news nntp mid cid mailto url URL HTTP x-y 1a a a b h
	: : : / / / // // ? # @ . .. ; = + , ~ ! * ' ( ) $ & - _ " [ ] { | } \ ^ < > %41 %00 %4 %zz % é
	[::1] [1:2:3:4:5:6:7:8] [1::8] [::1.2.3.4] [1:2:3:4:5:6:1.2.3.4] [v1.x:y] [::256.1.1.1] [1:2:3:4:5:6:7::] :: 1: ::1 ffff 00001
	1.2.3.4 256.1.1.1 01.2.3.4 1.2.3 80 :80 u:p@ u@ @h a.b a-.b 3com.com 0 00 12 ;type=I ;type=AN ;type= 1=x; 23=; type=L8 url: URL: /./ /../`)

// starts are the beginnings of some forms.
var starts = strings.Fields(`http://a http://1.2.3.4:80/ ftp://u:p@h/a ftp://1.2.3.4/ telnet://u@ telnet://1@h gopher://h/1
	gopher://h:70/ wais://h/d wais://h/d/t/12/ wais://h/d/t/12= prospero://h/ afs://c/ news: nntp:g/1 mid:a@ cid:a.b@
	mailto:u URL:http://h url:ftp://h/ a: // //a //u@`)

func randomText(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(2) == 0 {
		b.WriteString(starts[r.IntN(len(starts))])
	}
	for range r.IntN(9) {
		b.WriteString(shards[r.IntN(len(shards))])
	}
	return b.String()
}

// TestTwin uses the same random texts in every run, so that a failure can be repeated.
func TestTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1994, 3986))
	taken := make(map[uri.Grammar]int)
	for range twinTexts {
		s := randomText(r)
		got, _ := uri.Accepts(s, uri.Split(s), uri.Every)
		if want := slowAccepts(s); got != want {
			t.Errorf("%q: %v; by the documents %v", s, got, want)
		}
		for g := range got.Each() {
			taken[g]++
		}
	}
	for g := range uri.Every.Each() {
		if taken[g] < twinTexts/100 {
			t.Errorf("%v took %d of %d texts, which says little", g, taken[g], twinTexts)
		}
	}
}

// twinTexts is the number of texts for which the two implementations are compared.
const twinTexts = 5_000

func TestResolveTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1808, 3986))
	pieces := []string{"/", "/", "/", ".", "..", "./", "../", "a", "b", "c;p", "", "/./", "/../", "//", "?q", "?", "#f", "..g", "h.", "?x/../y"}
	text := func(first ...string) string {
		var b strings.Builder
		b.WriteString(first[r.IntN(len(first))])
		for range r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 5 * twinTexts {
		base := text("http://a", "http://a/", "http:", "http:/", "http:/a/", "http:/.//", "http://")
		ref := text("", "", "", "/", "/.//", "..//", "//g", "http:", "HTTP:", "g:", "g:/")
		for _, g := range []uri.Grammar{uri.URL1993, uri.URL1996, uri.URL1997, uri.URI2002, uri.RFC3986} {
			rb, err := uri.Parse(base, uri.Every)
			if err != nil {
				break
			}
			b, err := uri.NewBase(rb, g)
			if err != nil {
				t.Fatal(err)
			}
			b.Lax = r.IntN(2) == 0
			b.Excess = uri.Excess(r.IntN(3))
			got, err := uri.AppendTarget(nil, b, ref, uri.Split(ref))
			want, ok := slowTarget(base, ref, g, b.Lax, b.Excess)
			if ok != (err == nil) || ok && string(got) != want {
				t.Fatalf("%v: %q by %q (%v, lax %v): %q, %v; by the document %q, %v", g, base, ref, b.Excess, b.Lax, got, err, want, ok)
			}
		}
	}
}

// slowTarget is a literal implementation of the algorithms of section 5.2 and of 1993, "Partial
// form": it rewrites buffers until nothing matches. The documents leave a path that begins with "//"
// in a target without an authority; it gets "/." in front of it. For the current document slowTarget
// returns "". ok is false if excess ".." is an error.
func slowTarget(base, ref string, g uri.Grammar, lax bool, x uri.Excess) (string, bool) {
	type parts struct{ scheme, auth, path, query, frag string } // components with their delimiters, so that "" means undefined
	parse := func(s string) parts {
		m := appendixB.FindStringSubmatch(s)
		return parts{m[1], m[3], m[5], m[6], m[8]}
	}
	b, r := parse(base), parse(ref)
	modern := g == uri.URI2002 || g == uri.RFC3986
	if modern && lax && strings.EqualFold(r.scheme, b.scheme) {
		r.scheme = ""
	}
	dots := func(path string) string { return path }
	if g == uri.RFC3986 {
		dots = slowRemoveDots
	}
	t := parts{scheme: b.scheme, auth: b.auth, query: r.query, frag: r.frag}
	dir := b.path[:strings.LastIndexByte(b.path, '/')+1]
	switch {
	case r.scheme != "":
		t.scheme, t.auth, t.path = r.scheme, r.auth, dots(r.path)
	case r.auth != "":
		t.auth, t.path = r.auth, dots(r.path)
	case r.path == "" && r.query == "" && g != uri.RFC3986:
		return "", true
	case r.path == "" && modern:
		if t.path = b.path; r.query == "" {
			t.query = b.query
		}
	case strings.HasPrefix(r.path, "/"):
		t.path = dots(r.path)
	case g == uri.RFC3986:
		if b.auth != "" && b.path == "" {
			dir = "/"
		}
		t.path = dots(dir + r.path)
	case g == uri.URI2002:
		if b.path == "" {
			dir = "/"
		}
		var ok bool
		if t.path, ok = slowSteps(dir+r.path, x); !ok {
			return "", false
		}
	case g == uri.URL1993:
		t.path = slowElements(dir + r.path)
	default:
		t.path, _ = slowSteps(dir+r.path+r.query, uri.Retain)
		t.query = ""
	}
	if t.auth == "" && strings.HasPrefix(t.path, "//") { // 3986, section 3.3: only an authority begins so
		t.path = "/." + t.path
	}
	return t.scheme + t.auth + t.path + t.query + t.frag, true
}

var (
	slowDot     = regexp.MustCompile(`(^|/)\./`)
	slowLastDot = regexp.MustCompile(`(^|/)\.$`)
	slowUp      = regexp.MustCompile(`(^|/)([^/]*)/\.\./`)
	slowLastUp  = regexp.MustCompile(`(^|/)([^/]*)/\.\.$`)
	slowExcess  = regexp.MustCompile(`^/?(\.\./)*\.\.(/|$)`)
)

// slowSteps has steps 3 to 7 of 2002, and 6d to 6g of 1997. A slash at the beginning of
// the path ends no segment.
func slowSteps(buf string, x uri.Excess) (string, bool) {
	root := ""
	if strings.HasPrefix(buf, "/") {
		root, buf = "/", buf[1:]
	}
	for slowDot.MatchString(buf) {
		buf = replaceFirst(slowDot, buf, nil)
	}
	buf = slowLastDot.ReplaceAllString(buf, "$1")
	notUp := func(m []string) bool { return m[2] != ".." }
	for next := replaceFirst(slowUp, buf, notUp); next != buf; next = replaceFirst(slowUp, buf, notUp) {
		buf = next
	}
	buf = replaceFirst(slowLastUp, buf, notUp)
	if m := slowExcess.FindString(buf); m != "" {
		switch x {
		case uri.Remove:
			buf = buf[len(m):]
		case uri.RaiseError:
			return "", false
		}
	}
	return root + buf, true
}

// replaceFirst replaces the leftmost match for which ok is true with its first group.
func replaceFirst(re *regexp.Regexp, s string, ok func(m []string) bool) string {
	for from := 0; from <= len(s); {
		m := re.FindStringSubmatchIndex(s[from:])
		if m == nil {
			return s
		}
		var groups []string
		for i := 0; i < len(m); i += 2 {
			groups = append(groups, s[from+m[i]:from+m[i+1]])
		}
		// A match at from is at the beginning of a segment only if a slash is
		// in front of it.
		whole := from == 0 || m[0] > 0 || s[from-1] == '/'
		if whole && (ok == nil || ok(groups)) {
			return s[:from+m[0]] + groups[1] + s[from+m[1]:]
		}
		n := strings.IndexByte(s[from+m[0]+len(groups[1]):], '/')
		if n < 0 {
			return s
		}
		from += m[0] + len(groups[1]) + n + 1
	}
	return s
}

// slowRemoveDots is RFC 3986, section 5.2.4, with its two buffers.
func slowRemoveDots(in string) string {
	out := ""
	for in != "" {
		switch {
		case strings.HasPrefix(in, "../"):
			in = in[3:]
		case strings.HasPrefix(in, "./"):
			in = in[2:]
		case strings.HasPrefix(in, "/./"):
			in = in[2:]
		case in == "/.":
			in = "/"
		case strings.HasPrefix(in, "/../"), in == "/..":
			in = "/" + strings.TrimPrefix(in[3:], "/")
			out = out[:max(0, strings.LastIndexByte(out, '/'))]
		case in == "." || in == "..":
			in = ""
		default:
			n := strings.IndexByte(in[1:], '/') + 1
			if n == 0 {
				n = len(in)
			}
			out, in = out+in[:n], in[n:]
		}
	}
	return out
}

// slowElements is the algorithm of 1993: "/." and "/xxx/.." are removed recursively, where xxx is a
// complete element. The text in front of the first slash is no such element.
func slowElements(s string) string {
	el := strings.Split(s, "/")
	for i := 1; i < len(el); {
		switch {
		case el[i] == ".":
			el, i = append(el[:i:i], el[i+1:]...), 1
		case el[i] == ".." && i > 1 && el[i-1] != "..":
			el, i = append(el[:i-1:i-1], el[i+1:]...), 1
		default:
			i++
		}
	}
	return strings.Join(el, "/")
}
