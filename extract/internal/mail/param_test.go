package mail

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

var values = []struct{ value, name, want string }{
	{`a/b; name=x`, "name", "x"},
	{`a/b;name="x y"`, "name", "x y"},
	{`a/b; name="x\"y\\z"`, "name", `x"y\z`},
	{`a/b; name="x;y`, "name", "x"},
	{`a/b; name = x`, "name", "x"},
	{`a/b; NAME=x; name=y`, "name", "x"},
	{`a/b; other=1 name=x`, "name", "x"},
	{`a/b; name=x y.txt`, "name", "x y.txt"},
	{`a/b name=x`, "name", "x"},
	{`a/b (c; name=y) ; name (z) = (z) x (z)`, "name", "x"},
	{`a/b; (open name=x`, "name", "x"},
	{`a/b;; ; name=x;`, "name", "x"},
	{`a/b; charset="a"name=x`, "name", "x"},
	{`a/b; names=x`, "name", "-"},
	{`a/b; name`, "name", "-"},
	{`a/b; name=`, "name", ""},
	{`a/b`, "name", "-"},
	{``, "name", "-"},
	{`"a/b"; name=x`, "name", "x"},
	{`a/b; boundary=a=b?c`, "boundary", "a=b?c"},
	{`a/b; name*=utf-8'en'%e2%82%AC%20x%`, "name", "€ x%"},
	{`a/b; name*0="a "; name*1="b"; name*2*=%63`, "name", "a bc"},
	{`a/b; name*0*=utf-8''a%20; name*1*=b; name*2="%20"`, "name", "a b%20"},
	{`a/b; name*2=c; name*1=b; name*0=a`, "name", "abc"},
	{`a/b; name*1=b`, "name", "-"},
	{`a/b; name*x=b; name*0=y; name*00001=c`, "name", "y"},
	{`a/b; name*='x`, "name", "'x"},
}

func TestParam(t *testing.T) {
	for _, c := range values {
		got, ok := appendParam(nil, params([]byte(c.value)), c.name)
		if s := string(got); ok && s != c.want || !ok && c.want != "-" {
			t.Errorf("%s of %s: %q %v, want %q", c.name, c.value, s, ok, c.want)
		}
	}
}

func TestTypes(t *testing.T) {
	for _, c := range []struct{ header, want string }{
		{"Content-Type: text", "text/plain"},
		{"Content-Type: TEXT/html;", "text/html"},
		{"Content-Type: \"text/html\"", "text/html"},
		{"Content-Type: text/html charset=x", "text/html x"},
		{"Content-Type: text/html; charset='utf-8'", "text/html utf-8"},
		{"Content-Type:\n text/html;\n\tcharset=\n x", "text/html x"},
		{"Content-Type : text/html", "text/html"},
		{"content-type: a/b\nContent-Type: text/html", "a/b"},
		{"Content-Type:\nContent-Type: text/html", "text/html"},
		{"Content-Type: a/b; name=x\nContent-Disposition: inline; filename=y", "a/b y"},
		{"Content-Type: a/b; name=\"=?utf-8?q?x?=\"\nContent-Disposition: inline", "a/b x"},
		{"Content-Transfer-Encoding: 7bit", "text/plain"},
		{"Content-Transfer-Encoding: BINARY", "text/plain"},
		{"Content-Transfer-Encoding: x-uuencode", "text/plain x-uuencode"},
		{"Content-Transfer-Encoding: base64;", "text/plain base64"},
		{"Content-Type: text/plain; format=\"flowed\"", "text/plain flowed"},
		{"Content-Type: text/html; format=flowed", "text/html"},
	} {
		raw := []byte(c.header + "\n\n")
		list := everyWay(t, raw, Single, 9)
		got := strings.TrimSuffix(strings.TrimPrefix(show(list[1:]), "1 1 "), " \"\"\n")
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.header, got, c.want)
		}
	}
}

func TestLevels(t *testing.T) {
	raw := []byte(`Message-ID:
 <id@x>
Date: now
Newsgroups: a.b,
 c.d
Content-Base: "http://a/
 b/"
Content-Type: multipart/related; boundary=b

--b
Content-Location: <URL: c.html>

x
--b
Content-Type: message/rfc822
Content-Location: outer

Content-Location: url:inner
Message-ID: <other>

y
--b--
z
`)
	want := []struct {
		section string
		levels  []BaseFields
	}{
		{"HEADER", []BaseFields{{ContentBase: "http://a/b/"}}},
		{"1.MIME", []BaseFields{{ContentBase: "http://a/b/"}, {ContentLocation: "c.html"}}},
		{"1", []BaseFields{{ContentBase: "http://a/b/"}, {ContentLocation: "c.html"}}},
		{"2.MIME", []BaseFields{{ContentBase: "http://a/b/"}, {ContentLocation: "outer"}}},
		{"2.HEADER", []BaseFields{{ContentBase: "http://a/b/"}, {ContentLocation: "outer"}, {ContentLocation: "inner"}}},
		{"2.1", []BaseFields{{ContentBase: "http://a/b/"}, {ContentLocation: "outer"}, {ContentLocation: "inner"}}},
		{"TEXT", []BaseFields{{ContentBase: "http://a/b/"}}},
	}
	got := everyWay(t, raw, Single, 9)
	if len(got) != len(want) {
		t.Fatalf("%s", show(got))
	}
	for i, g := range got {
		if g.part.Section != want[i].section || !slices.Equal(g.levels, want[i].levels) {
			t.Errorf("%s %q, want %v", g.part.Section, g.levels, want[i])
		}
		if g.part.MessageID != "id@x" || g.part.Date != "now" || g.part.Newsgroups != "a.b, c.d" {
			t.Errorf("%s: %+v", g.part.Section, g.part)
		}
	}
}

// TestFieldsSet reads a message that has all fields of Fields, and a record of a web archive.
func TestFieldsSet(t *testing.T) {
	var set Fields
	for framing, text := range map[Framing]string{
		Mbox: "From a@b.example Mon Mar  1 10:00:00 1999\nMessage-ID: <1@h>\nDate: now\nNewsgroups: a.b\nSubject: s\nFrom: a@b.example\nTo: c@d.example\n\ntext\n",
		WARC: "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 4\r\n\r\ntext\r\n\r\n",
	} {
		var r Reader
		r.KeepSubjects(true)
		r.Reset(strings.NewReader(text), 0, framing, 10, "")
		for {
			part, err := r.Next()
			if err != nil {
				break
			}
			got := reflect.ValueOf(part.Fields)
			for i := range got.NumField() {
				if s := got.Field(i).String(); s != "" {
					reflect.ValueOf(&set).Elem().Field(i).SetString(s)
				}
			}
		}
	}
	for i := range reflect.TypeFor[Fields]().NumField() {
		if reflect.ValueOf(set).Field(i).String() == "" {
			t.Errorf("%s is never set", reflect.TypeFor[Fields]().Field(i).Name)
		}
	}
}
