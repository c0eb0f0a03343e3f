package delimit

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// ruleTexts has texts for rules 24 to 41. want has each reference, what was undone in it, and its other
// readings, except for its tail.
var ruleTexts = []struct {
	rule int
	text string
	want []string
}{
	{24, "http://i❤.example.ws/ http://abc東京.example/x", []string{
		"http://i❤.example.ws/",
		"http://abc東京.example/x",
	}},
	{24, "http://example.com→see http://example.com©2020", []string{
		"http://example.com, host http://example.com→see",
		"http://example.com, host http://example.com©2020",
	}},
	{24, "http://例え。テスト/x http://a.example。http://b.example/", []string{
		"http://例え, idna-dot http://例え。テスト/x",
		"http://a.example",
		"http://b.example/",
	}},
	{25, "- http://a.example/path中文\n- http://a.example/b中文\n", []string{
		"http://a.example/path中文, script http://a.example/path",
		"http://a.example/b中文, script http://a.example/b",
	}},
	{25, "(http://a.example/path中文) http://a.example/path中文", []string{
		"http://a.example/path中文, script http://a.example/path",
		"http://a.example/path, script http://a.example/path中文",
	}},
	{26, "http://a.example/it’s http://a.example/a–b http://a.example/a– b", []string{
		"http://a.example/it’s, joiner http://a.example/it",
		"http://a.example/a–b, joiner http://a.example/a",
		"http://a.example/a",
	}},
	{27, "**PR: http://a.example/b** snake_ http://a.example/c_ 2 * 3 http://a.example/d*", []string{
		"http://a.example/b",
		"http://a.example/c_",
		"http://a.example/d*",
	}},
	{28, "http://a.example/x&hellip; http://a.example/?a=1&copy=2 http:&#47;&#47;b.example/a", []string{
		"http://a.example/x",
		"http://a.example/?a=1&copy=2",
		"http://b.example/a by entity",
	}},
	{28, "https&#x3a;&#x2f;&#x2f;a&#x2e;example&#x2f;b http&#58;//a.example/x?a=1&amp;b=2 mailto&#58;a&#64;b.example x&#58;y http&colon;z", []string{
		"https://a.example/b by entity",
		"http://a.example/x?a=1&b=2 by entity",
		"mailto:a@b.example by entity",
	}},
	{29, "'http\\x3a\\x2f\\x2fa.example\\x2fb' (ftp\\u003a//a.example/) \"http\\u003a\\u002f\\u002fa.example\\u002fc\" a\\x3a//b", []string{
		"http://a.example/b by unescaped",
		"ftp://a.example/ by unescaped",
		"http://a.example/c by unescaped",
	}},
	{29, "{\"u\":\"https:\\\\\\/\\\\\\/a.example\\\\\\/b\"} http:\\x2f\\x2fa.example/ http://a.example/x\\u003dy", []string{
		"https://a.example/b",
		"http://a.example/ by unescaped",
		"http://a.example/x=y by unescaped",
	}},
	{30, "http://a.example/a_\\(b\\) http://a.example/watch\\?v\\=x \\(http://a.example/\\) http://a\\.example/", []string{
		"http://a.example/a_(b) by unescaped, backslash http://a.example/a_",
		"http://a.example/watch?v=x by unescaped, backslash http://a.example/watch",
		"http://a.example/",
	}},
	{30, "see http://a.example\\. Then file:///C:\\a\\b", []string{
		"file:///C:/a/b by repaired",
	}},
	{30, "<code>\\\"file:///C:/app/\\\"</code> file:///C:\\app\\ x", []string{
		"file:///C:/app/",
		"file:///C:/app/ by repaired",
	}},
	{31, "http://a.example/a™ http://a.example/🔥 │http://a.example/b│ http://a.example/～joe/ http://a.example/c->d", []string{
		"http://a.example/a",
		"http://a.example/🔥",
		"http://a.example/b",
		"http://a.example/~joe/ by repaired, raw http://a.example/～joe/",
		"http://a.example/c",
	}},
	{32, "http://a.example/\x1b[31mred\x1b[0m http://a.example/b\x1b[0m http://a.example/c^[[0m", []string{
		"http://a.example/red by colour, colour http://a.example/",
		"http://a.example/b",
		"http://a.example/c",
	}},
	{33, "http://example.com's http://example.com:in x http://example.com/a를 http://o'brien.example/", []string{
		"http://example.com, possessive http://example.com's",
		"http://example.com, possessive http://example.com:in",
		"http://example.com/a",
		"http://o'brien.example/",
	}},
	{34, "(see http://a.example/)0 http://a.example/a[Title] http://a.example/aa[VS.85].aspx http://a.example/(", []string{
		"http://a.example/, bracket http://a.example/)0",
		"http://a.example/a, bracket http://a.example/a[Title]",
		"http://a.example/aa[VS.85].aspx, bracket http://a.example/aa",
		"http://a.example/",
	}},
	{34, "http://a.example/aa[VS.85].aspx “http://b.example/abcdef/s” 'http://c.example/abcdef/t'", []string{
		"http://a.example/aa[VS.85].aspx, bracket http://a.example/aa",
		"http://b.example/abcdef/s",
		"http://c.example/abcdef/t",
	}},
	{35, "/* see http://a.example/*/b */ {# http://a.example/#} <!--http://a.example/-->", []string{
		"http://a.example/*/b",
		"http://a.example/",
		"http://a.example/",
	}},
	{36, "https://a.example/v3/__https://b.example/ https://a.example/.https://b.example/", []string{
		"https://a.example/v3/__https://b.example/, glued https://a.example/v3/__",
		"https://a.example/",
		"https://b.example/",
	}},
	{37, "http://a.example/?a=1|2&b=3 http://a.example/&& [url=http://a.example,ref=http://b.example]", []string{
		"http://a.example/?a=1|2&b=3",
		"http://a.example/",
		"http://a.example, comma http://a.example,ref=http://b.example",
		"http://b.example",
	}},
	{38, "cid:x sip:1 tel:1 news:x acct:a@b.example http://a.example/:-) default://x", []string{
		"acct:a@b.example",
		"http://a.example/",
	}},
	{39, "http://a.example/caf\xe9/x http://a.example/caf\xe9", []string{
		"http://a.example/caf\xe9/x, charset http://a.example/café/x",
		"http://a.example/caf",
	}},
	{39, "http://a.example/\xc3Tb\x05x http://a.example/b\xe9c\x80d http://a.example/^2^GM2 ^[]8;;http://a.example/^Gx", []string{
		"http://a.example/",
		"http://a.example/b",
		"http://a.example/^2^GM2",
		"http://a.example/",
	}},
	{40, "（www.a.example/x）—www.b.example", []string{
		"www.a.example/x by abbreviated",
		"www.b.example by abbreviated",
	}},
	{40, "“a@b.example” (c@d.example)→邮箱e@f.example谢谢 g@müller.example. h@例子.广告 i@b.com으로", []string{
		"a@b.example by address", "c@d.example by address", "e@f.example by address", "g@müller.example by address",
		"h@例子.广告 by address", "i@b.com by address",
	}},
	{40, "smtp.mailfrom=a@b.example; user='c@d.example' bounce-joe=e.example@f.example x@[192.0.2.1] y@[IPv6:::1] z@[z]", []string{
		"a@b.example by address", "c@d.example by address", "bounce-joe=e.example@f.example by address",
		"x@[192.0.2.1] by address", "y@[IPv6:::1] by address",
	}},
	{40, "Ann <a@[192.0.2.1]>, id <b@[192.0.2.1]> is a Message-ID", []string{
		"a@[192.0.2.1] by address",
	}},
	{40, "mañana@mañana.example, иван@пример.example почтаjoe@a.example (joe@a.example:) ✉️joe@b.example 🤷\u200djoe@c.example __joe@d.example__ _joe@e.example", []string{
		"mañana@mañana.example by address",
		"иван@пример.example by address",
		"joe@a.example by address",
		"joe@b.example by address",
		"joe@c.example by address",
		"joe@d.example by address",
		"_joe@e.example by address",
	}},
	{40, "user%there.example@a.example joe%2Bx@a.example %20joe@b.example a=%3Cjoe@c.example%3E %2Bjoe@i.example x%40joe@j.example %40joe@k.example %C3%A9joe@l.example test.\"x\".joe@d.example \"joe\"@e.example __joe@f.example_ g@h.example__", []string{
		"user%there.example@a.example by address",
		"joe%2Bx@a.example by address",
		"joe@b.example by address",
		"joe@c.example by address",
		"joe@i.example by address",
		"x%40joe@j.example by address",
		"%C3%A9joe@l.example by address",
	}},
	{40, "_www.a.example_ *_www.b.example/x_* ✉️www.c.example x_www.d.example www.my_site.example.com/x www._d.example", []string{
		"www.a.example by abbreviated",
		"www.b.example/x by abbreviated",
		"www.c.example by abbreviated",
		"www.my_site.example.com/x by abbreviated",
	}},
	{40, "a..b@c.example a@b.example- éa@b.example a@b@c.example host:a@b.example:path mailto:q@[192.0.2.1]", []string{
		"éa@b.example by address",
		"mailto:q@[192.0.2.1]",
	}},
	{41, "hxxp://a[.example/b hxxp://a.]example/b hxxps[:][/][/]a[.]example[/]c", []string{
		"hxxp://a[.example/b by defanged",
		"hxxp://a.]example/b by defanged",
		"hxxps[:][/][/]a[.]example[/]c by defanged",
	}},
	{41, "hxxp://a[d]example/ hxxp://a . example/ http://a . example http://a.example . The http://a.example[1] end", []string{
		"http://a.example",
		"http://a.example",
	}},
	{41, "evil[.]example/x, 192[.]0[.]2[.]1:80 (joe[at]evil[.]example) x@evil[.]example[.] a[.]b 1[.]2 a\\.example", []string{
		"evil[.]example/x by abbreviated,defanged",
		"192[.]0[.]2[.]1:80 by abbreviated,defanged",
		"joe[at]evil[.]example by defanged,address",
		"x@evil[.]example by defanged,address",
	}},
	{41, "https:__a[.]example/x hxxp__b[.]example/x https:// c[.]example/x see: d[.]example http://e.example/ f[.]example", []string{
		"d[.]example by abbreviated,defanged",
		"http://e.example/",
		"f[.]example by abbreviated,defanged",
	}},
	{41, "hxxp://a[,]example/x hxxp://b<.>example/x c[.]example[,]com hxxp://d[.]example[;] hxxp://e[.]example<br>x (hxxp://f[.]example)", []string{
		"hxxp://d[.]example by defanged",
		"hxxp://e[.]example by defanged",
		"hxxp://f[.]example by defanged",
	}},
	{41, "a[.]example() b[.]example(1.2.3.4) c[.]example,d[.]example;e[.]example=f[.]example(see http://g.example/)", []string{
		"a[.]example by abbreviated,defanged",
		"b[.]example by abbreviated,defanged",
		"c[.]example by abbreviated,defanged",
		"d[.]example by abbreviated,defanged",
		"e[.]example by abbreviated,defanged",
		"f[.]example by abbreviated,defanged",
		"http://g.example/",
	}},
}

// TestRuleTexts reads each text as a whole, byte by byte, in the smallest window, and with the slow twin.
func TestRuleTexts(t *testing.T) {
	for _, row := range ruleTexts {
		opts := Options{MaxLen: 600}
		switch row.rule {
		case 40:
			opts.Extras = Abbreviated | Address
		case 41:
			opts.Extras = Defanged
		}
		small, err := collect(newScanner(strings.NewReader(row.text), opts, 1))
		if err != io.EOF {
			t.Fatal(err)
		}
		for how, found := range map[string][]slowCandidate{
			"whole":        scan(t, strings.NewReader(row.text), opts),
			"byte by byte": scan(t, iotest.OneByteReader(strings.NewReader(row.text)), opts),
			"small window": small,
			"twin":         slowFind([]byte(row.text), opts),
		} {
			if how == "twin" && row.rule >= 40 {
				continue // the twins of extras know the old forms only
			}
			var got []string
			for _, c := range found {
				got = append(got, written(c))
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("rule %d, %s: %q (-want +got):\n%s", row.rule, how, row.text, diff)
			}
		}
	}
}

// written returns the text of c, what was undone in it, and its other readings.
func written(c slowCandidate) string {
	s := c.Text
	if c.By != 0 {
		s += " by " + c.By.String()
	}
	for _, r := range c.Readings {
		if r.Reason != WithTail {
			s += fmt.Sprintf(", %v %s", r.Reason, r.Text)
		}
	}
	return s
}
