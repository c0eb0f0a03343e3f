package scheme_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/scheme"
)

func ExampleFields() {
	for _, s := range []string{"mailto:jim%25x@h", "ftp://h/a%2Fb/c;type=I"} {
		for _, f := range scheme.Fields(s, uri.Split(s), uri.URL1994) {
			if f.Kind != scheme.Undefined {
				fmt.Printf("%s=%v;", f.Name, f.Value())
			}
		}
		fmt.Println()
	}
	// Output:
	// prefixed=false;scheme=mailto;address=jim%x@h;local=jim%x;domain=h;
	// prefixed=false;scheme=ftp;host=h;effective_user=anonymous;type=I;directory=false;path=a%2Fb/c;segments=[a/b c];
}

func ExampleField_List() {
	s := "http://h/?to+be+or%2Fand"
	for _, f := range scheme.Fields(s, uri.Split(s), uri.URL1993) {
		if f.Name == "search_words" {
			fmt.Printf("%q\n", f.List())
		}
	}
	// Output:
	// ["to" "be" "or/and"]
}

func ExampleField_Numbers() {
	s := "wais://h/db/TEXT/10=a%20b;"
	for _, f := range scheme.Fields(s, uri.Split(s), uri.URL1994) {
		if f.Kind == scheme.Numbered {
			fmt.Printf("%q\n", f.Numbers())
		}
	}
	// Output:
	// [["10" "a%20b" "a b"]]
}

// By 1994 the path of an ftp reference says whether it is a directory.
func ExampleField_Bool() {
	for _, s := range []string{"ftp://h/pub/", "ftp://h/pub/README"} {
		for _, f := range scheme.Fields(s, uri.Split(s), uri.URL1994) {
			if f.Kind == scheme.Flag && f.Name == "directory" {
				fmt.Println(s, f.Bool())
			}
		}
	}
	// Output:
	// ftp://h/pub/ true
	// ftp://h/pub/README false
}

func ExampleField_Decoded() {
	s := "gopher://h/0a%2541"
	for _, f := range scheme.Fields(s, uri.Split(s), uri.URL1994) {
		if f.Name == "selector" {
			fmt.Println(f.String(), f.Decoded())
		}
	}
	// Output:
	// a%2541 a%41
}

// Two fields that say different things are an error that names both.
func ExampleError() {
	var fields []scheme.Field
	for name, value := range map[string]string{"scheme": "ftp", "host": "example.org", "path": "a/b"} {
		f, err := scheme.NewField("ftp", name, uri.URI2002, value)
		if err != nil {
			log.Fatal(err)
		}
		fields = append(fields, f)
	}
	other, err := scheme.NewField("ftp", "segments", uri.URI2002, "a", "c")
	if err != nil {
		log.Fatal(err)
	}
	_, err = scheme.FromFields(append(fields, other), uri.URI2002)
	var e *scheme.Error
	if errors.As(err, &e) && e.Reason == scheme.Conflict {
		fmt.Printf("%s: %s or %s?\n", e.Scheme, e.Field, e.Other)
	}
	// Output: ftp: path or segments?
}
