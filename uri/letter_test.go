package uri_test

import (
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// TestDataByGrammar checks that data is escaped by the reserved set of each grammar: 1994
// "reserved" in the BNF, 1997 section 2.2 (where "$" and "," are marks, section 2.3), 2002 section
// 3.4. The bytes that a grammar does not allow at all are escaped, too.
func TestDataByGrammar(t *testing.T) {
	const data = "a$b,c&d@e+f=g;h/i?j:k~l"
	for _, c := range []struct {
		in   uri.Component
		g    uri.Grammar
		want string
	}{
		{uri.Query, uri.URL1993, "a$b,c&d@e%2Bf%3Dg;h%2Fi%3Fj:k%7El"},
		{uri.Query, uri.URL1994, "a$b,c&d@e%2Bf%3Dg%3Bh%2Fi%3Fj%3Ak%7El"},
		{uri.Query, uri.URL1996, "a$b,c%26d%40e%2Bf%3Dg%3Bh%2Fi%3Fj%3Ak~l"},
		{uri.Query, uri.URL1997, "a$b,c%26d%40e%2Bf%3Dg%3Bh%2Fi%3Fj%3Ak~l"},
		{uri.Query, uri.URI2002, "a%24b%2Cc%26d%40e%2Bf%3Dg%3Bh%2Fi%3Fj%3Ak~l"},
		{uri.Query, uri.RFC3986, "a%24b%2Cc%26d%40e%2Bf%3Dg%3Bh%2Fi%3Fj%3Ak~l"},
		{uri.Path, uri.URL1993, "a$b,c&d@e+f%3Dg;h%2Fi%3Fj%3Ak%7El"},
		{uri.Path, uri.URL1994, "a$b,c&d@e+f%3Dg%3Bh%2Fi%3Fj%3Ak%7El"},
		{uri.Path, uri.URL1997, "a$b,c&d@e+f%3Dg%3Bh%2Fi%3Fj%3Ak~l"},
		{uri.Path, uri.URI2002, "a$b,c&d@e+f%3Dg%3Bh%2Fi%3Fj%3Ak~l"},
		{uri.Userinfo, uri.URL1997, "a$b,c%26d%40e%2Bf%3Dg%3Bh%2Fi%3Fj%3Ak~l"},
		{uri.Userinfo, uri.URI2002, "a%24b%2Cc%26d%40e%2Bf%3Dg%3Bh%2Fi%3Fj%3Ak~l"},
		{uri.Path, uri.RFC3986, "a%24b%2Cc%26d%40e%2Bf%3Dg%3Bh%2Fi%3Fj%3Ak~l"},
		{uri.Userinfo, uri.RFC3986, "a%24b%2Cc%26d%40e%2Bf%3Dg%3Bh%2Fi%3Fj%3Ak~l"},
		{uri.Host, uri.RFC3986, "a%24b%2Cc%26d%40e%2Bf%3Dg%3Bh%2Fi%3Fj%3Ak~l"},
		{uri.Fragment, uri.RFC3986, "a$b,c&d@e+f=g;h/i?j:k~l"},
		{uri.Host, uri.URL1994, "a$b,c&d%40e+f%3Dg%3Bh%2Fi%3Fj%3Ak%7El"},
	} {
		if got := string(uri.AppendData(nil, c.in, data, c.g)); got != c.want {
			t.Errorf("%v: %v:\n%s, want\n%s", c.g, c.in, got, c.want)
		}
	}
}

// TestReserved3986 escapes all ASCII characters as data. By RFC 3986, section 2.2, only the
// unreserved characters of section 2.3 are not escaped, in any component. The marks !*'() were
// unreserved in 2002.
func TestReserved3986(t *testing.T) {
	const unreserved = "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"
	for _, c := range []uri.Component{uri.Userinfo, uri.Host, uri.Path, uri.Query} {
		var left []byte
		for b := range byte(0x80) {
			if got := uri.AppendData(nil, c, []byte{b}, uri.RFC3986); len(got) == 1 {
				left = append(left, b)
			}
		}
		if string(left) != unreserved {
			t.Errorf("%v: %q remain", c, left)
		}
		if got := string(uri.AppendData(nil, c, "!*'()", uri.URI2002)); got != "!*'()" {
			t.Errorf("%v: 2002 has the marks %s", c, got)
		}
	}
}

// TestLatin1Escapes checks the escapes of characters beyond ASCII. 1993, "Encoding prohibited
// characters": "the ISO Latin 1 code for that character". The other grammars escape octets, here
// those of UTF-8.
func TestLatin1Escapes(t *testing.T) {
	for _, c := range []struct{ text, latin, utf8 string }{
		{"http://h/é", "http://h/%E9", "http://h/%C3%A9"},
		{"http://h/\u00a0ÿ?é#é", "http://h/%A0%FF?%E9#%E9", "http://h/%C2%A0%C3%BF?%C3%A9#%C3%A9"},
		{"http://é.x/a^", "http://%E9.x/a%5E", "http://%C3%A9.x/a%5E"},
		{"http://h/€é", "http://h/%E2%82%AC%E9", "http://h/%E2%82%AC%C3%A9"},
		{"http://h/\xc3", "http://h/%C3", "http://h/%C3"},
		{"http://h/\xc3x", "http://h/%C3x", "http://h/%C3x"},
		{"http://h/%C3%A9", "http://h/%C3%A9", "http://h/%C3%A9"},
	} {
		for g := range uri.Every.Each() {
			want := c.utf8
			if g == uri.URL1993 {
				want = c.latin
			}
			if got := string(uri.AppendEscaped(nil, c.text, g)); got != want {
				t.Errorf("%v: %q becomes %q, want %q", g, c.text, got, want)
			}
		}
		if got := string(uri.AppendEscaped(nil, c.text, uri.URL1993|uri.RFC3986)); got != c.utf8 {
			t.Errorf("the newest member decides: %q", got)
		}
		if got := string(uri.AppendEscaped(nil, c.text, uri.Default)); got != c.utf8 {
			t.Errorf("AppendEscaped: %q", got)
		}
	}
}
