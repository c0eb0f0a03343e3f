package uri_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/urlsift/urlsift/uri"
)

// The table of the package comment.
func Example_grammars() {
	fmt.Println("93 94 96 97 02 86")
	for _, s := range []string{
		"http://h/p?q", "http://h/~u/", "http://h/a=b", `http://h/"q"`, "http://h/p#f", "p/q", "a_b:c", "12:30",
		"http://h//p", "ftp://h", "ftp://h/p;type=I", "HTTP://h/", "x-y:z", "//u@v@h", "http://h:8x/", "http://[::1]/", "http://[v1.x]/",
		"urn:[a]", "http://h/[a]", "", "http://h/a b",
	} {
		got, _ := uri.Accepts(s, uri.Split(s), uri.Every)
		for g := range uri.Every.Each() {
			if got&g != 0 {
				fmt.Print("+  ")
			} else {
				fmt.Print(".  ")
			}
		}
		fmt.Printf("%q\n", s)
	}
	// Output:
	// 93 94 96 97 02 86
	// +  +  +  +  +  +  "http://h/p?q"
	// .  .  +  +  +  +  "http://h/~u/"
	// .  .  +  +  +  +  "http://h/a=b"
	// +  +  .  .  .  .  "http://h/\"q\""
	// +  .  +  +  +  +  "http://h/p#f"
	// +  .  +  +  +  +  "p/q"
	// +  .  +  +  .  .  "a_b:c"
	// .  .  +  +  .  .  "12:30"
	// .  .  +  +  +  +  "http://h//p"
	// .  .  +  +  +  +  "ftp://h"
	// .  +  +  +  +  +  "ftp://h/p;type=I"
	// .  .  +  +  +  +  "HTTP://h/"
	// +  .  +  +  +  +  "x-y:z"
	// +  .  +  +  +  .  "//u@v@h"
	// +  .  +  +  +  .  "http://h:8x/"
	// .  .  .  .  +  +  "http://[::1]/"
	// .  .  .  .  .  +  "http://[v1.x]/"
	// .  .  .  .  +  .  "urn:[a]"
	// .  .  .  .  .  .  "http://h/[a]"
	// .  .  +  +  +  +  ""
	// .  .  .  .  .  .  "http://h/a b"
}

func ExampleAppendNormal() {
	s := "HTTP://WWW.Example.COM:80/a/./b/../%63/%7euser?%7e"
	for g := range (uri.URL1996 | uri.URL1997 | uri.URI2002 | uri.RFC3986).Each() {
		fmt.Printf("%s\n", uri.AppendNormal(nil, s, uri.Split(s), g))
	}
	// Output:
	// HTTP://WWW.Example.COM:80/a/./b/../%63/%7euser?%7e
	// http://www.example.com/a/./b/../c/~user?~
	// http://www.example.com/a/./b/../c/~user?%7e
	// http://www.example.com/a/c/~user?~
}

func ExampleEqual() {
	for _, pair := range [][2]string{
		{"http://a/%7e", "HTTP://A:80/~"}, {"http://a/b/../c", "http://a/c"}, {"http://a", "http://a/"}, {"http://a/%2F", "http://a//"},
	} {
		fmt.Print(pair[0], " ", pair[1], ":")
		for g := range (uri.URL1997 | uri.URI2002 | uri.RFC3986).Each() {
			equal, known, err := uri.Equal(pair[0], pair[1], g)
			switch {
			case err != nil:
				fmt.Print(" ", err)
			case !known:
				fmt.Print(" no rule")
			default:
				fmt.Print(" ", equal)
			}
		}
		fmt.Println()
	}
	// Output:
	// http://a/%7e HTTP://A:80/~: true true true
	// http://a/b/../c http://a/c: false false true
	// http://a http://a/: no rule no rule true
	// http://a/%2F http://a//: false false false
}

func ExampleKindOfHost() {
	for _, s := range []string{"http://h.example/", "//1.2.3.4", "//[::1]:80", "//[v1.x]", "//a_b!", "mailto:a@b"} {
		fmt.Printf("%s %q\n", s, uri.KindOfHost(s, uri.Split(s)))
	}
	// Output:
	// http://h.example/ "name"
	// //1.2.3.4 "ipv4"
	// //[::1]:80 "ipv6"
	// //[v1.x] "ipvfuture"
	// //a_b! "registry"
	// mailto:a@b ""
}

func ExampleAccount() {
	for _, s := range []string{"ftp://jim:se%3Acret@h/", "ftp://jim@h/", "ftp://h/"} {
		user, password, has := uri.Account(s, uri.Split(s))
		fmt.Printf("%q %q %d\n", user, password, has)
	}
	// Output:
	// "jim" "se%3Acret" 2
	// "jim" "" 1
	// "" "" 0
}

func ExampleRef_User() {
	fmt.Println(uri.MustParse("ftp://jim:secret@h/").User())
	fmt.Println(uri.MustParse("ftp://jim:secret@h/").Password())
	// Output:
	// jim true
	// secret true
}

func ExampleRef_Get() {
	r := uri.MustParse("http://h?")
	for _, c := range []uri.Component{uri.Host, uri.Port, uri.Path, uri.Query} {
		text, ok := r.Get(c)
		fmt.Printf("%v %q %v\n", c, text, ok)
	}
	// Output:
	// host "h" true
	// port "" false
	// path "" true
	// query "" true
}

func ExampleAppendUnescaped() {
	fmt.Printf("%s\n", uri.AppendUnescaped(nil, "100%25%20%2541%zz"))
	// Output:
	// 100% %41%zz
}

func ExampleAppendData() {
	for _, c := range []uri.Component{uri.Userinfo, uri.Path, uri.Query, uri.Fragment} {
		fmt.Printf("%v: %s\n", c, uri.AppendData(nil, c, "a/b=c:d@e?100%", uri.URI2002))
	}
	// Output:
	// userinfo: a%2Fb%3Dc%3Ad%40e%3F100%25
	// path: a%2Fb%3Dc%3Ad@e%3F100%25
	// query: a%2Fb%3Dc%3Ad%40e%3F100%25
	// fragment: a/b=c:d@e?100%25
}

func ExampleBuilder() {
	var b uri.Builder
	b.Set(uri.Scheme, "http").Set(uri.Authority, "h:8080").Join("music", "AC/DC").SetData(uri.Query, "T.N.T. & more")
	fmt.Println(b.Ref())
	b.Unset(uri.Scheme).Unset(uri.Authority).Set(uri.Path, "//music")
	_, err := b.Ref()
	fmt.Println(err)
	// Output:
	// http://h:8080/music/AC%2FDC?T.N.T.%20%26%20more <nil>
	// uri: path: what begins at offset 0 would be read as another part: "//music?T.N.T.%20%26%20more"
}

func ExampleRef_Builder() {
	b := uri.MustParse("http://h/p?q#f").Builder()
	fmt.Println(b.Unset(uri.Fragment).Set(uri.Scheme, "https").Ref())
	// Output:
	// https://h/p?q <nil>
}

func ExampleRef_Set() {
	var home uri.Ref
	flags := flag.NewFlagSet("show", flag.ContinueOnError)
	flags.SetOutput(os.Stdout)
	flags.Var(&home, "home", "`reference` to begin at")
	if err := flags.Parse([]string{"-home", "http://h/"}); err != nil {
		return
	}
	fmt.Println(home)
	// Output:
	// http://h/
}

func ExampleRef_Scan() {
	var r uri.Ref
	err := r.Scan([]byte("news:comp.text"))
	fmt.Println(r, err)
	fmt.Println(r.Scan(nil))
	fmt.Println(r.Value())
	// Output:
	// news:comp.text <nil>
	// uri: column of type <nil> is no reference (string and []byte may be)
	// news:comp.text <nil>
}

func ExampleDefaultPort() {
	fmt.Println(uri.DefaultPort("HTTP"), uri.DefaultPort("wais"), uri.DefaultPort("mailto"))
	// Output: 80 210 0
}

func ExampleGrammar_Each() {
	for g := range (uri.URL1993 | uri.RFC3986).Each() {
		fmt.Println(g)
	}
	// Output:
	// url-1993
	// rfc3986
}

func ExampleWarning_Each() {
	s := "ftp://u:p@h:25/"
	for name := range uri.Warnings(s, uri.Split(s)).Each() {
		fmt.Println(name)
	}
	// Output:
	// password
	// port
}

// A Ref can be a field of a struct that is read from JSON. If a text is no reference, decoding
// returns an Error.
func ExampleRef_UnmarshalText() {
	var site struct {
		Home  uri.Ref
		Links []uri.Ref
	}
	err := json.Unmarshal([]byte(`{"Home": "http://www.example.org/", "Links": ["a/b", "mailto:jo@example.org"]}`), &site)
	fmt.Println(site.Home.Host(), site.Links[1].Path(), err)

	err = json.Unmarshal([]byte(`{"Home": "http://[example/"}`), &site)
	var why *uri.Error
	if errors.As(err, &why) {
		fmt.Println(why.Component, why.Offset)
	}
	// Output:
	// www.example.org jo@example.org <nil>
	// host 15
}

// An Error says which byte of a text is wrong, and why.
func ExampleError() {
	_, err := uri.Parse("http://www.example.org/a b", uri.RFC3986)
	var why *uri.Error
	if errors.As(err, &why) {
		fmt.Printf("%v at %d, in the %v: %q\n", why.Reason, why.Offset, why.Component, why.Text[why.Offset])
	}
	// Output: bad byte at 24, in the path: ' '
}

// 2002 leaves open what to do with a ".." above the root.
func ExampleExcess() {
	base, err := uri.NewBase(uri.MustParse("http://www.example.org/a/b"), uri.URI2002)
	if err != nil {
		log.Fatal(err)
	}
	for _, base.Excess = range []uri.Excess{uri.Retain, uri.Remove, uri.RaiseError} {
		target, err := base.Resolve(uri.MustParse("../../c"))
		fmt.Println(base.Excess, target, err != nil)
	}
	// Output:
	// retain http://www.example.org/../c false
	// remove http://www.example.org/c false
	// error ../../c true
}

// The methods of a Ref return its components unchanged, with their escapes.
func ExampleRef_Host() {
	r := uri.MustParse("http://www.example.org:8080/a%20b?q#top")
	fmt.Println(r.Scheme(), r.Host(), r.Port(), r.Path(), r.Query(), r.Fragment())
	// Output: http www.example.org 8080 /a%20b q top
}

// A program that asks for the Rules of a grammar names no grammar, so it handles all of them.
func ExampleGrammar_Rules() {
	for g := range uri.Every.Each() {
		if g.Rules().Lax == 0 {
			fmt.Println(g, "has no lax resolution")
		}
	}
	fmt.Println("lax by", uri.Every.Rules().Lax)
	// Output:
	// url-1993 has no lax resolution
	// url-1994 has no lax resolution
	// url-1996 has no lax resolution
	// url-1997 has no lax resolution
	// lax by uri-2002+rfc3986
}

func ExampleWarningNames() {
	fmt.Println(uri.WarningNames())
	// Output: [password port control host mixed-script ip-decimal]
}

func ExampleHostFault() {
	s := "http://www.-a.example/"
	why, at := uri.HostFault(s, uri.Split(s))
	fmt.Printf("%s: %q\n", why, s[at:])
	// Output: first hyphen: "-a.example/"
}
