package record

import (
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// hostCases has hosts as references have them, and the fields that are made of them.
var hostCases = []struct{ written, host, domain, unicode string }{
	{"WWW.Example.co.uk", "www.example.co.uk", "example.co.uk", ""},
	{"www.m%C3%BCller.de", "www.xn--mller-kva.de", "xn--mller-kva.de", "www.müller.de"},
	{"www.müller.de", "www.xn--mller-kva.de", "xn--mller-kva.de", "www.müller.de"},
	{"WWW.M%c3%9cLLER.DE", "www.xn--mller-kva.de", "xn--mller-kva.de", "www.müller.de"},
	{"WWW.XN--MLLER-KVA.DE", "www.xn--mller-kva.de", "xn--mller-kva.de", "www.müller.de"},
	{"mu%CC%88ller.de", "xn--mller-kva.de", "xn--mller-kva.de", "müller.de"}, // a combining mark
	{"stra%C3%9Fe.example.org", "xn--strae-oqa.example.org", "example.org", "straße.example.org"},
	{"i%E2%9D%A4.example.ws", "xn--i-7iq.example.ws", "example.ws", "i❤.example.ws"},
	{"i%E2%9D%A4%EF%B8%8F.ws", "xn--i-7iq.ws", "xn--i-7iq.ws", "i❤.ws"}, // a variation selector
	{"%F0%9F%8D%95.example", "xn--vi8h.example", "xn--vi8h.example", "🍕.example"},
	{"%E6%97%A5%E6%9C%AC%E8%AA%9E%E3%80%82jp", "xn--wgv71a119e.jp", "xn--wgv71a119e.jp", "日本語.jp"}, // an ideographic full stop
	{"a.xn--55qx5d.cn", "a.xn--55qx5d.cn", "a.xn--55qx5d.cn", "a.公司.cn"},                           // a public suffix
	{"%E5%85%AC%E5%8F%B8.cn", "xn--55qx5d.cn", "", "公司.cn"},
	{"%C3%BC_x.example.org", "xn--_x-wka.example.org", "", "ü_x.example.org"}, // no domain, as for a_b.example.org
	{"m%C3%BCller.de.", "xn--mller-kva.de.", "xn--mller-kva.de", "müller.de."},
	{"%EF%BC%91%EF%BC%90.0.0.1", "10.0.0.1", "", ""}, // full-width digits: an address

	// No A-labels.
	{"a_b.example.org", "a_b.example.org", "", ""},
	{"%65xample.org", "%65xample.org", "", ""},
	{"a%2Fb.example.org", "a%2fb.example.org", "", ""},
	{"m%FCller.de", "m%fcller.de", "", ""},                                                             // no UTF-8
	{"%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB.example", "%f0%9f%91%a9%e2%80%8d%f0%9f%92%bb.example", "", ""}, // a joiner between symbols
	{"%E2%84%80.m%C3%BCller.de", "%e2%84%80.m%c3%bcller.de", "", ""},                                   // the mapping has a slash
	{"m%C3%BCller%2Fx.de", "m%c3%bcller%2fx.de", "", ""},                                               // an escaped slash
	{"%D7%90a.example", "%d7%90a.example", "", ""},                                                     // both directions
	{"xn--zzzzzz.example.com", "xn--zzzzzz.example.com", "example.com", ""},                            // stands for nothing
	{"a..m%C3%BCller.de", "a..m%c3%bcller.de", "", ""},                                                 // an empty label
	{strings.Repeat("%C3%BC", 64) + ".de", strings.Repeat("%c3%bc", 64) + ".de", "", ""},               // a label of more than 63 characters
	{strings.Repeat("%C3%BC.", 200) + "de", strings.Repeat("%c3%bc.", 200) + "de", "", ""},             // a name of more than 253
	{"[2001:DB8::1]", "[2001:db8::1]", "", ""},
	{"192.0.2.1", "192.0.2.1", "", ""},
}

// TestHosts checks the fields of hosts: from the cache, without it, and after other hosts.
func TestHosts(t *testing.T) {
	var v view
	for range 2 {
		for _, c := range hostCases {
			r := &extract.Result{URL: []byte("http://u@" + c.written + ":80/x")}
			r.Parts = uri.Split(r.URL)
			v.of(r)
			if host, domain, unicode := string(v.host()), string(v.domain()), string(v.hostUnicode()); host != c.host || domain != c.domain || unicode != c.unicode {
				t.Errorf("%s: %q, %q, %q", c.written, host, domain, unicode)
			}
			if host, domain, unicode := string(AppendHost(nil, r)), string(AppendDomain(nil, r)), string(AppendHostUnicode(nil, r)); host != c.host || domain != c.domain || unicode != c.unicode {
				t.Errorf("%s: %q, %q, %q without the view", c.written, host, domain, unicode)
			}
		}
	}
}

// TestHostNames checks that each spelling of a host leads to the same names.
func TestHostNames(t *testing.T) {
	for _, c := range hostCases {
		unicode := c.unicode
		if unicode == "" {
			unicode = c.host
		}
		for _, name := range []string{c.written, strings.ToUpper(c.written), c.host, unicode} {
			ascii, u := HostNames(name)
			if ascii != c.host || u != unicode {
				t.Errorf("%s: %s, %s", name, ascii, u)
			}
		}
	}
	if ascii, unicode := HostNames("👩\u200d💻.example"); ascii != "%f0%9f%91%a9%e2%80%8d%f0%9f%92%bb.example" || unicode != ascii {
		t.Errorf("%s, %s", ascii, unicode)
	}
}

// TestHostTime checks that no host costs more than its length.
func TestHostTime(t *testing.T) {
	var all strings.Builder
	for c := rune(0x4e00); all.Len() < longestName/3; c++ { // different characters are the worst case
		all.WriteRune(c)
	}
	var escaped []byte
	for i := range all.Len() {
		escaped = append(escaped, '%', hexDigits[all.String()[i]>>4], hexDigits[all.String()[i]&15])
	}
	began := time.Now()
	for range 1000 {
		toASCII(escaped, false)
	}
	if d := time.Since(began); d > 10*time.Second { // 3 MB
		t.Errorf("took %v", d)
	}
}
