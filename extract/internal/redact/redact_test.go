package redact

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// spelled has texts and their redacted form. The password is SECRET; where it contains other
// characters, it begins with SE and ends with ET.
var spelled = []struct{ why, text, want string }{
	{"entities", "http://u&#58;SECRET&#64;h/", "http://u&#58;***&#64;h/"},
	{"zeros", "http://u&#0058;SECRET&#000064;h/", "http://u&#0058;***&#000064;h/"},
	{"hexadecimal", "http&#x3a;&#X2F;&#x02f;u&#x3A;SECRET&#x40;h/", "http&#x3a;&#X2F;&#x02f;u&#x3A;***&#x40;h/"},
	{"named", "http&colon;&sol;&sol;u&colon;SECRET&commat;h&sol;", "http&colon;&sol;&sol;u&colon;***&commat;h&sol;"},
	{"named, in capitals", "http://u&COLON;SECRET&Commat;h/", "http://u&COLON;***&Commat;h/"},
	{"no semicolons", "http://u&#58SECRET&#64h/", "http://u&#58***&#64h/"},
	{"no semicolons, named", "http://u&colonSECRET&commath/", "http://u&colon***&commath/"},
	{"entity in an entity", "http://u&amp;#58;SECRET&amp;amp;#64;h/", "http://u&amp;#58;***&amp;amp;#64;h/"},
	{"entity with an escaped sign", "http://u&#58;SECRET&%2364;h/", "http://u&#58;***&%2364;h/"},
	{"escapes in entities", "http://u&percnt;3ASECRET&#37;40h/", "http://u&percnt;3A***&#37;40h/"},
	{"escaped letters of an entity", "http://u&%63olon;SECRET&%23%36%34;h/", "http://u&%63olon;***&%23%36%34;h/"},

	{"percent", "http%3A%2F%2Fu%3ASECRET%40h%2F", "http%3A%2F%2Fu%3A***%40h%2F"},
	{"percent, five deep", "http://a/?u=http%252525253A%252525252F%252525252Fu%252525253ASECRET%2525252540h", "http://a/?u=http%252525253A%252525252F%252525252Fu%252525253A***%2525252540h"},
	{"only the first is escaped", "http%3A//u:SECRET@h/x:y@z", "http%3A//u:***@h/x:y@z"},
	{"levels mixed", "http:%2F/u%253ASECRET%2540h/", "http:%2F/u%253A***%2540h/"},
	{"deeper than any", "http://a/%25252525252525252525252525252540", "***"},

	{"JSON", `http:\/\/u:SECRET\u0040h\/`, `http:\/\/u:***\u0040h\/`},
	{"JSON, all of it", `http\u003a\u002F\u002fu\u003aSECRET\u0040h`, `http\u003a\u002F\u002fu\u003a***\u0040h`},
	{"JSON in JSON", `http:\\/\\/u:SECRET\\u0040h`, `http:\\/\\/u:***\u0040h`},
	{"JavaScript", `http\x3a\x2f\x2fu\u{3a}SECRET\u{00040}h`, `http\x3a\x2f\x2fu\u{3a}***\u{00040}h`},
	{"JSON, where the password is an escape", `http:\/\/u:\u0053ECRET`, `http:\/\/u:***`},

	{"backslashes", `http:\\u:SECRET@h/`, `http:\\u:***@h/`},
	{"one backslash", `http:\u:SECRET@h/`, `http:\u:***@h/`},
	{"a backslash that is no escape", `http:\u0040:SECRET@h/`, `http:\u0040:***@h/`},
	{"backslashes, no escape either", `x:\\u0040:SECRET@h/`, `x:\\u0040:***@h/`},
	{"a slash and a backslash", `http:/\u:SECRET@h\x`, `http:/\u:***@h\x`},
	{"escaped backslashes", `http:%5C%5Cu:SECRET@h/`, `http:%5C%5Cu:***@h/`},
	{"a backslash in it", `http://u:SE\CRET@h/`, `http://u:***@h/`},
	{"no slash", "http:u:SECRET@h/", "http:u:***@h/"},
	{"no slash, escaped", "a?b=https%3Au:SECRET%40h", "a?b=https%3Au:***%40h"},

	{"a line's end", "http://u:SE\nCRET@h/", "http://u:***@h/"},
	{"a line's end, entities", "http://u&#58;SE\r\n  CRET&#64;h/", "http://u&#58;***&#64;h/"},
	{"a line's end, escaped account", "http%3A%2F%2Fu%3ASE\nCRET%40h/", "http%3A%2F%2Fu%3A***%40h/"},
	{"an escaped line's end", "http%3A%2F%2Fu%3ASE%0ACRET%40h/", "http%3A%2F%2Fu%3A***%40h/"},
	{"a line's end between the slashes", "http:/\n/u:SECRET@h/", "http:/\n/u:***@h/"},
	{"line ends as entities", "http:/&Tab;&NewLine;/u:SECRET@h/", "http:/&Tab;&NewLine;/u:***@h/"},
	{"a line's end after the colon", "http:\n/u:SECRET@h/", "http:\n/u:***@h/"},

	{"a soft hyphen between the slashes", "http:/\u00ad/u:SECRET@h/", "http:/\u00ad/u:***@h/"},
	{"what shows nothing, around the slashes", "http:\u200b/\u2060/\ufe0fu:SE%2FCRET@h/", "http:\u200b/\u2060/\ufe0fu:***@h/"},
	{"what shows nothing, escaped", "http:/%E2%80%8B/u:SECRET@h http:/&#xad;/u:SECRET@h", "http:/%E2%80%8B/u:***@h http:/&#xad;/u:***@h"},
	{"a mark at the beginning", "\ufeff//h:SECRET", "\ufeff//h:***"},
	{"control characters between the slashes", "http:/\x01\x0b/u:SECRET@h/", "http:/\x01\x0b/u:***@h/"},
	{"a control character after a path", "dir/\f//h:SECRET", "dir/\f//h:***"},

	{"a raw & in an escaped account", "a?u=http%3A%2F%2Fu%3ASE&CRET%40h", "a?u=http%3A%2F%2Fu%3A***%40h"},
	{"a raw ; in an escaped account", "a?u=http%3A%2F%2Fu%3ASE;CR;ET%40h", "a?u=http%3A%2F%2Fu%3A***%40h"},
	{"an @ and a raw &", "a?u=http%3A%2F%2Fu%3ASE%40CR&ET%40h", "a?u=http%3A%2F%2Fu%3A***%40h"},
	{"what looks like an entity", "a?u=http%3A%2F%2Fu%3ASE&numberCR&questET%40h", "a?u=http%3A%2F%2Fu%3A***%40h"},
	{"what looks like an entity, in entities", "http&colon;&sol;&sol;u&colon;SE&solCR&questET&commat;h", "http&colon;&sol;&sol;u&colon;***&commat;h"},
	{"another parameter", "a?u=http%3A%2F%2Fu%3ASECRET@h&x=y@z", "a?u=http%3A%2F%2Fu%3A***@h&x=y@z"},
	{"escaped delimiters in it", "http://u:SE%2F%3FCR%23ET@h/", "http://u:***@h/"},
	{"delimiters in it as entities", "http://u:SE&sol;CR&#35;ET@h/", "http://u:***@h/"},

	{"backslashes that a URL escapes", "http:%5C%5Cu:SE%2FCRET@h/", "http:%5C%5Cu:***@h/"},
	{"entities that a URL escapes", "http&#58;&%2347;&%2347;u:SE%2FCRET@h/", "http&#58;&%2347;&%2347;u:***@h/"},
	{"brackets that a URL escapes", "http%5B://%5Du:SE%2FCRET@h/", "http%5B://%5Du:***@h/"},
	{"levels in another order", `https\u003a&percnt;5C&percnt;2F&percnt;5C&percnt;2Fu&percnt;401%3ASE%26sol;CRET%2F`, `https\u003a&percnt;5C&percnt;2F&percnt;5C&percnt;2Fu&percnt;401%3A***`},
	{"escapes that a URL escapes", "http:%5Cx2f%5Cx2fu@h%5Cx3aSE%23xCRET/", "http:%5Cx2f%5Cx2fu@h%5Cx3a***/"},
	{"levels of two kinds", "http%5Cu003a%5Cu002f%5Cu002fu%5Cu003aSE%252FCRET%5Cu0040h", "http%5Cu003a%5Cu002f%5Cu002fu%5Cu003a***%5Cu0040h"},

	{"cut", "http://u:SECRET", "http://u:***"},
	{"cut, escaped", "a?u=http%3A%2F%2Fu%3ASECRET", "a?u=http%3A%2F%2Fu%3A***"},
	{"cut, with an escaped slash", "http://u:SE%2FCRET", "http://u:***"},
	{"cut, entities", "http&colon;//u&colon;SECRET", "http&colon;//u&colon;***"},
	{"in the place of the port", "http://u:p@h:SECRET/", "http://u:***@h:***/"},
	{"in the place of the port, no password", "http://u@h:SE%40CRET/", "http://u@h:***%40CRET/"},
	{"in the place of the port, after an address", "http://u@[::1]:SECRET", "http://u@[::1]:***"},

	{"defanged", "hxxp[://]u[:]SECRET(at)h[.]x", "hxxp[://]u[:]***(at)h[.]x"},
	{"defanged, escaped", "hxxp%5B:%5D//u%5B:%5DSECRET[@]h", "hxxp%5B:%5D//u%5B:%5D***[@]h"},
	{"defanged host", "hxtp:u:SECRET@h[.]x", "hxtp:u:***@h[.]x"},

	{"no scheme", "//h:SECRET/p", "//h:***/p"},
	{"no scheme, in a query", "http://h/login?next=//u:SECRET", "http://h/login?next=//u:***"},
	{"no scheme, escaped", "%2F%2Fh:SECRET", "%2F%2Fh:***"},
	{"no scheme, the name of a file in a folder", "./%2F%2Fh:SECRET", "./%2F%2Fh:***"},
	{"no scheme, backslashes", `/\h:SECRET/p`, `/\h:***/p`},
	{"no scheme, three slashes", "///h:SECRET/p", "///h:***/p"},
	{"no scheme, the rest of a cut one", "://h:SECRET/p", "://h:***/p"},
	{"no scheme, a line after a path", "dir/\n//h:SECRET", "dir/\n//h:***"},
	{"no scheme, CSS's escape after a path", `0\2F \u002F\u002Fh\u003ASECRET`, `0\2F \u002F\u002Fh\u003A***`},
	{"no scheme, the end of a quote", "http://h/?x=//u:'SECRET", "http://h/?x=//u:***"},

	{"ECMAScript's escape", "http://u%u003aSECRET@h/", "http://u%u003a***@h/"},
	{"octal", `http://u\072SECRET\100h`, `http://u\072***\100h`},
	{"octal, slashes", `http\72\57\57u:SE%2FCRET@h`, `http\72\57\57u:***@h`},
	{"CSS", `http\3a\00002f\2fu\3aSECRET\40h`, `http\3a\00002f\2fu\3a***\40h`},
	{"CSS, with spaces", `http\3a \2f \2f u\3a SECRET\40 h`, `http\3a \2f \2f u\3a***\40 h`},
	{"C", `http://u\U0000003aSECRET\U00000040h`, `http://u\U0000003a***\U00000040h`},
	{"braces, wide", `http://u\u{ff1a}SECRET@h`, `http://u\u{ff1a}***@h`},
	{"two bytes of UTF-8 for one", "http://u%C0%BASECRET@h/", "http://u%C0%BA***@h/"},
	{"three bytes of UTF-8 for one", "http://u%E0%80%BASECRET@h/", "http://u%E0%80%BA***@h/"},
	{"raw bytes of UTF-8, too many", "http://u\xc0\xbaSECRET@h/", "http://u\xc0\xba***@h/"},
	{"wide", "http：／／u：SE%2FCRET＠h/", "http：／／u：***＠h/"},
	{"wide, escaped", "http://u%EF%BC%9ASECRET@h/", "http://u%EF%BC%9A***@h/"},
	{"wide, escaped as a URL escapes it", "http%EF%BC%9A%EF%BC%8F%EF%BC%8Fu%EF%BC%9ASE%23CRET@h/", "http%EF%BC%9A%EF%BC%8F%EF%BC%8Fu%EF%BC%9A***@h/"},
	{"wide, as an entity", "http://u&#xff1a;SECRET&#65312;h/", "http://u&#xff1a;***&#65312;h/"},
	{"wide, in JSON", `http://u\uff1aSECRET\uFF20h/`, `http://u\uff1a***\uFF20h/`},
	{"wide, as bytes of C", `http://u\357\274\232SECRET@h/`, `http://u\357\274\232***@h/`},
	{"a colon that names of files may have", "http꞉⧸⧸u꞉SECRET@h", "http꞉⧸⧸u꞉***@h"},
	{"UTF-7", "http+ADo-//u+ADo-SECRET+AEA-h", "http+ADo-//u+ADo-***+AEA-h"},
	{"UTF-7, several at once", "http+ADoALwAv-u+ADo-SECRET@h", "http+ADoALwAv-u+ADo-***@h"},
	{"quoted-printable", "http=3A=2F=2Fu:SECRET@h", "http=3A=2F=2Fu:***@h"},
	{"an encoded word", "=?utf-8?q?http=3A=2F=2Fu=3ASECRET=40h?=", "=?utf-8?q?http=3A=2F=2Fu=3A***=40h?="},
	{"quoted-printable, twice", "http=3D3A=3d2f=3D2fu=3D3ASECRET=3D40h", "http=3D3A=3d2f=3D2fu=3D3A***=3D40h"},

	{"two accounts", "http://u:SECRET@h/ http://v:SECRET@h/", "http://u:***@h/ http://v:***@h/"},
	{"bytes beyond ASCII", "http://\xffé:SECRETé\xfe@h/é", "http://\xffé:***@h/é"},
}

// unschemed are texts with more than one reference, where one has no scheme.
var unschemed = []struct{ why, text, want string }{
	{"abbreviated", "www.example.org@u:SECRET@h/", "www.example.org@u:***@h/"},
	{"abbreviated, cut", "www.example.org:SECRET", "www.example.org:***"},
	{"abbreviated, in a folder", "mirror/ftp2.h.x:SECRET/p", "mirror/ftp2.h.x:***/p"},
	{"abbreviated, after two slashes of a path", "dir//www.h.x:SECRET/p", "dir//www.h.x:***/p"},
	{"abbreviated, a line after a path", "F//\nwww.h.x:SECRET", "F//\nwww.h.x:***"},
	{"abbreviated, after another word", "a, GOPHER.h.x:SECRET", "a, GOPHER.h.x:***"},
	{"abbreviated, defanged", "www[.]h(dot)x[@]u[:]SECRET[at]h", "www[.]h(dot)x[@]u[:]***[at]h"},
	{"abbreviated, escaped", "www%2Eh.x%40u%3ASECRET%40h", "www%2Eh.x%40u%3A***%40h"},
}

// harmlessTexts have no password and must not be changed.
var harmlessTexts = []string{
	"http://h:80/?a=1&b=2", "http://h/%41%42?c=d%26e", "http://h/a?mail=u@h", "http://[::1]:80/", "http://h/a;b:c@d", "http://u@h:80/",
	"ssh://git@h:user/repo", "git+ssh://git@h:user/repo", "news:a:b@c", "mailto:u@h", `C:\dir\a`, "a & b : c @ d", "http://u&colon;", "http: x:y@z", "&", "%", `\`, "&#", "&#x", `\u`, `\u{`, "[", "%4", "http:",
	"dir//a:b", "../../../a:b", "//h:80/", "http://h//a:b", "www.example.org:80", "git@www.example.org:path", "http://b.example:80?width=400&x=y", "http://h/?q=a+AEb&r=2F", "a=3A", `\12`, `C:\25abc`, "http://h/\xe2\x80\x99s", "+A", "=4",
}

// TestRedactView redacts the texts of spelled. Redacting the result again, and with text in front
// of it and after it, must change nothing.
func TestRedactView(t *testing.T) {
	all := spelled
	for _, text := range harmlessTexts {
		all = append(all, struct{ why, text, want string }{"no password", text, text})
	}
	var r Redactor
	for _, c := range all {
		for _, around := range [][2]string{{}, {"see ", " x"}, {"<", ">"}} {
			if around[0] != "" && c.want == "***" {
				continue // the whole text is hidden
			}
			text, want := around[0]+c.text+around[1], around[0]+c.want+around[1]
			got, found := r.Append([]byte("kept"), []byte(text))
			if string(got) != "kept"+want || (found.Count > 0) != (text != want) {
				t.Errorf("%s: %q: %q, want %q; %d hidden", c.why, text, got[4:], want, found.Count)
			}
			if again, _ := r.Append(nil, got[4:]); string(again) != string(got[4:]) {
				t.Errorf("%s: %q becomes %q", c.why, got[4:], again)
			}
		}
	}
}

// TestRedactUnschemed checks that references without a scheme are recognised in a text of several
// references. In a text of one reference they are recognised only at the beginning.
func TestRedactUnschemed(t *testing.T) {
	var r Redactor
	for _, c := range unschemed {
		for _, around := range [][2]string{{}, {"see ", " x"}, {"<", ">"}} {
			text, want := around[0]+c.text+around[1], around[0]+c.want+around[1]
			if got, _ := r.Append(nil, []byte(text)); string(got) != want {
				t.Errorf("%s: %q: %q, want %q", c.why, text, got, want)
			}
		}
	}
	for text, want := range map[string]string{
		"www.example.org:SECRET/":              "www.example.org:***/",
		"http://h/?a=www.example.org&b=site:x": "http://h/?a=www.example.org&b=site:x",
		"http:/ /u:SECRET@h/":                  "http:/ /u:***@h/",
		"http: u:SECRET@h/":                    "http: u:***@h/",
	} {
		if got, _ := r.AppendSingle(nil, []byte(text)); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestRedactHarmless checks that common texts without passwords are not decoded.
func TestRedactHarmless(t *testing.T) {
	for _, text := range []string{"http://www.example.org/a/b.html?c=d#e", "mailto:u", "/usr/share/doc", "a.gz: unexpected EOF", ""} {
		if !harmless([]byte(text)) {
			t.Errorf("%q may have a password", text)
		}
	}
}

// escapeOnce escapes text once, in the way how; text may already be escaped.
func escapeOnce(text string, how byte) string {
	const marks = ":/@?#%&;\\"
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if strings.IndexByte(marks, c) < 0 {
			b.WriteByte(c)
			continue
		}
		const digits = "0123456789ABCDEF"
		hexed := string([]byte{digits[c>>4], digits[c&15]})
		switch how % 12 {
		case 0:
			b.WriteString("%" + hexed)
		case 1:
			b.WriteString("&#x" + hexed + ";")
		case 2:
			b.WriteString("\\u00" + hexed)
		case 3:
			b.WriteString("\\x" + strings.ToLower(hexed))
		case 4:
			b.WriteString("&#" + strings.Repeat("0", int(how)/16) + strings.TrimLeft(string([]byte{'0' + c/100, '0' + c/10%10, '0' + c%10}), "0") + ";")
		case 5:
			if c == '/' {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		case 6:
			fmt.Fprintf(&b, "%%u%04x", c)
		case 7:
			fmt.Fprintf(&b, `\%03o`, c)
		case 8:
			fmt.Fprintf(&b, `\%06x`, c)
		case 9:
			fmt.Fprintf(&b, `\U%08X`, c)
		case 10:
			fmt.Fprintf(&b, "=%02X", c)
		case 11:
			b.Write([]byte{0xC0 | c>>6, 0x80 | c&0x3F})
		}
	}
	return b.String()
}

// FuzzRedact checks that a password is hidden after any text and any number of escapes, that
// redacting again changes nothing, and that no index is out of range.
func FuzzRedact(f *testing.F) {
	for _, seed := range []string{"", "http://u:p@h/", "x%253A%252F%252Fu%3Ap%40", "http://[%3A%2F%2Fy:zz]:80/", `a[:]//\/b(at)`, "http://2001:db8::1 http:/a:b@c", "&#58;&#x2F;/a:&#64;", `http:\\a`, `x:\u0040`, "&amp;&amp;#58", "1://1:"} {
		f.Add([]byte(seed), []byte{})
		f.Add([]byte(seed), []byte{1, 2, 0, 0x54})
		f.Add([]byte(seed), []byte{6, 7, 10})
		f.Add([]byte(seed), []byte{8, 9, 11, 0})
	}
	f.Fuzz(func(t *testing.T, text, levels []byte) {
		if bytes.Contains(text, []byte("Q")) || len(levels) > 5 || len(text) > 1<<10 {
			return // letters of the password, and texts that are hidden in other ways
		}
		var r Redactor
		once, _ := r.Append(nil, text)
		if twice, _ := r.Append([]byte("kept"), once); string(twice) != "kept"+string(once) {
			t.Errorf("%q becomes %q, then %q", text, once, twice)
		}
		for _, ref := range []string{"://u:QQQQ@h", "x:/u:QQQQ@h", "http:u:QQQQ@h", `ftp:\\u:QQQQ@h`, "://u:QQ:@QQ@h", "//h:QQQQ", "www.h.x:QQQQ", "www.h.x@u:QQQQ@h", "http:/\u200b/u:QQQQ@h"} {
			for _, how := range levels {
				ref = escapeOnce(ref, how)
			}
			whole := bytes.Clone(text)
			if len(levels) > 0 || ref[0] != ':' && ref[0] != 'x' { // the characters after it might continue a path
				whole = append(whole, ' ') // otherwise the end of text could change an escape or the scheme
			}
			whole = append(whole, ref...)
			if got, found := r.Append(nil, whole); bytes.Contains(got, []byte("QQ")) || found.Count == 0 {
				t.Errorf("%q keeps its password: %q", whole, got)
			}
		}
	})
}
