package neturl_test

import (
	"errors"
	"fmt"
	"net/url"
	"testing"

	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/neturl"
)

func TestURL(t *testing.T) {
	for s, ok := range map[string]bool{
		"http://u:p@h:80/a%2Fb/c?q#f": true, "../g?y": true, "mailto:a@b": true, "": true, "//h": true, "http://h/?": true,
		"http://h/#": false, "HTTP://h/": false, "http://h/?#": false, "http://h:x/": false, "http://[::1]/": true,
		"urn:a%20b": true, "http://u@h/": true,
	} {
		r, err := uri.Parse(s, uri.URI2002|uri.RFC3986)
		if err != nil {
			t.Fatal(err)
		}
		u, err := neturl.URL(r)
		if (err == nil) != ok {
			t.Errorf("%q: %v", s, err)
		}
		var e *neturl.Error
		if err != nil && (!errors.As(err, &e) || e.Text != s || e.Error() == "") {
			t.Errorf("%q: %v", s, err)
		}
		if err != nil {
			continue
		}
		if back, err := neturl.Ref(u, 0); err != nil || back != r {
			t.Errorf("%q comes back as %v, %v", s, back, err)
		}
	}
}

func TestRef(t *testing.T) {
	for _, u := range []*url.URL{
		{Path: "a:b//c"}, {Scheme: "http", Host: "h", Path: "x"}, {Scheme: "http", Opaque: "//h"},
		{Scheme: "http", Host: "h i", Path: "/"}, {RawQuery: "a b"}, {Scheme: "HTTP", Host: "h"},
		{Scheme: "http", Host: "h", Path: "/", RawPath: "/x"},
	} {
		if r, err := neturl.Ref(u, uri.Every); err == nil {
			t.Errorf("%#v becomes %v", u, r)
		}
	}
	u := &url.URL{Scheme: "http", User: url.UserPassword("u", "p:q"), Host: "h", Path: "/a b"}
	if r, err := neturl.Ref(u, 0); err != nil || r.String() != "http://u:p%3Aq@h/a%20b" {
		t.Errorf("%v, %v", r, err)
	}
}

func ExampleURL() {
	for _, s := range []string{"http://h/a%2Fb?q", "http://h/p#"} {
		u, err := neturl.URL(uri.MustParse(s))
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(u.Path)
	}
	// Output:
	// /a/b
	// neturl: "http://h/p#" would come back as "http://h/p"
}

func ExampleRef() {
	u := &url.URL{Scheme: "http", Host: "h", Path: "/a b"}
	fmt.Println(neturl.Ref(u, uri.RFC3986))
	u.Path = "a b"
	fmt.Println(neturl.Ref(u, uri.RFC3986))
	// Output:
	// http://h/a%20b <nil>
	//  neturl: "http://h/a%20b" would come back as "http://h/a%20b"
}
