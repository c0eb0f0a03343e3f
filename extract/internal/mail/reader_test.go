package mail

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var boxes = []struct {
	name  string
	f     Framing
	depth int
	raw   string
	want  string
}{
	{"one message", Single, 9, "Subject: a\nMessage-ID: <x@y>\n\nbody\n", `
1 HEADER "Subject: a\nMessage-ID: <x@y>\n"
1 1 text/plain "body\n"
`},
	{"CRLF", Single, 9, "Subject: a\r\n b\r\n\r\nbody\r\n", `
1 HEADER "Subject: a\r\n b\r\n"
1 1 text/plain "body\r\n"
`},
	{"CR CR LF", Mbox, 9, "From - Mon May 27 13:05:14 1996\r\r\nSubject: x\r\r\n\r\r\nbody\r\r\n\r\r\nFrom - Mon May 27 13:05:14 1996\r\r\nA: b\r\r\n", `
1 HEADER "Subject: x\r\r\n"
1 1 text/plain "body\r\r\n\r\r\n"
2 HEADER "A: b\r\r\n"
2 1 text/plain ""
`},
	{"no blank line", Single, 9, "Subject: a\nThis is text\n", `
1 HEADER "Subject: a\n"
1 1 text/plain "This is text\n"
`},
	{"header only", Single, 9, "Subject: a", `
1 HEADER "Subject: a"
1 1 text/plain ""
`},
	{"labels", Single, 9, "Content-Type: Text/Plain; Charset=\"ISO-8859-1\"; format=flowed; delsp=Yes; name=a.txt\nContent-Transfer-Encoding: Quoted-Printable (so)\nContent-ID: <1@2>\n\n=20\n", `
1 HEADER iso-8859-1 "Content-Type: Text/Plain; Charset=\"ISO-8859-1\"; format=flowed; delsp=Yes; name=a.txt\nContent-Transfer-Encoding: Quoted-Printable (so)\nContent-ID: <1@2>\n"
1 1 text/plain quoted-printable iso-8859-1 a.txt flowed delsp "=20\n"
`},
	{"multipart", Single, 9, `Content-Type: multipart/mixed; boundary=b

before
--b

one
--b
Content-Type: application/octet-stream

two
--b  ` + `
Content-Type: text/html

three
--b--
after
`, `
1 HEADER "Content-Type: multipart/mixed; boundary=b\n"
1 TEXT text/plain "before\n"
1 1 text/plain "one\n"
1 2.MIME "Content-Type: application/octet-stream\n"
1 2 application/octet-stream "two"
1 3.MIME "Content-Type: text/html\n"
1 3 text/html "three\n"
1 TEXT text/plain "after\n"
`},
	{"nested, one boundary the prefix of another, in mid-line and with more after it", Single, 9, `Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: multipart/alternative; boundary="b-1"

--b-1

a --b
--bb
--b-1
Content-Type: text/html

c
--b-1--
--b
Content-Type: application/x

d

--b--
`, `
1 HEADER "Content-Type: multipart/mixed; boundary=\"b\"\n"
1 1.MIME "Content-Type: multipart/alternative; boundary=\"b-1\"\n"
1 1.1 text/plain "a --b\n--bb\n"
1 1.2.MIME "Content-Type: text/html\n"
1 1.2 text/html "c\n"
1 2.MIME "Content-Type: application/x\n"
1 2 application/x "d\n"
`},
	{"an attached message", Single, 9, `Content-Type: multipart/mixed; boundary=b

--b
Content-Type: message/rfc822

Subject: inner

text
--b
Content-Type: message/rfc822

Content-Type: multipart/mixed; boundary=c

--c

x
--c--
--b
Content-Type: message/rfc822
Content-Transfer-Encoding: base64

QQ==
--b--
`, `
1 HEADER "Content-Type: multipart/mixed; boundary=b\n"
1 1.MIME "Content-Type: message/rfc822\n"
1 1.HEADER "Subject: inner\n"
1 1.1 text/plain "text\n"
1 2.MIME "Content-Type: message/rfc822\n"
1 2.HEADER "Content-Type: multipart/mixed; boundary=c\n"
1 2.1 text/plain "x\n"
1 3.MIME "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n"
1 3 message/rfc822 base64 "QQ==\n"
`},
	{"a message that is a message", Single, 9, "Content-Type: message/rfc822\n\nSubject: x\n\ny", `
1 HEADER "Content-Type: message/rfc822\n"
1 1.HEADER "Subject: x\n"
1 1.1 text/plain "y"
`},
	{"messages with From_ lines", Single, 9, "Content-Type: multipart/digest; boundary=b\n\n--b\n\nFrom a@b Mon Jan  3 12:00:00 2000\n>From a@b\nA: b\n--b\n\n--b--\n", `
1 HEADER "Content-Type: multipart/digest; boundary=b\n"
1 1.HEADER "A: b\n"
1 1.1 text/plain ""
1 2.1 text/plain ""
`},
	{"a message with a quoted From_ line", Mbox, 9, "From - Mon Jan  3 12:00:00 2000\nContent-Type: message/rfc822\n\n>From a@b\nA: b\n\n", `
1 HEADER "Content-Type: message/rfc822\n"
1 1.HEADER "A: b\n"
1 1.1 text/plain ""
`},
	{"digest", Single, 9, `Content-Type: multipart/digest; boundary=b

--b

Subject: one

1
--b
Content-Type: text/plain

2
--b--
`, `
1 HEADER "Content-Type: multipart/digest; boundary=b\n"
1 1.HEADER "Subject: one\n"
1 1.1 text/plain "1\n"
1 2.MIME "Content-Type: text/plain\n"
1 2 text/plain "2\n"
`},
	{"no end", Single, 9, `Content-Type: multipart/mixed; boundary=b

--b
Content-Type: multipart/mixed; boundary=c

--c

x
--b
Content-Type: multipart/mixed; boundary=d

y
--b
Content-Type: multipart/mixed

z
`, `
1 HEADER "Content-Type: multipart/mixed; boundary=b\n"
1 1.MIME "Content-Type: multipart/mixed; boundary=c\n"
1 1.1 text/plain "x\n"
! mime: multipart without a closing boundary at offset 101
1 2.MIME "Content-Type: multipart/mixed; boundary=d\n"
1 2.TEXT text/plain "y\n"
! mime: multipart without a boundary line at offset 150
1 3.MIME "Content-Type: multipart/mixed\n"
! mime: multipart without a boundary at offset 150
1 3 text/plain "z\n"
! mime: multipart without a closing boundary at offset 183
`},
	{"too deep", Single, 1, `Content-Type: multipart/mixed; boundary=b

--b
Content-Type: multipart/mixed; boundary=c
Content-Transfer-Encoding: base64

--c

x
--c--
--b
Content-Type: message/rfc822

Subject: x
--b--
`, `
1 HEADER "Content-Type: multipart/mixed; boundary=b\n"
1 1.MIME "Content-Type: multipart/mixed; boundary=c\nContent-Transfer-Encoding: base64\n"
! mime: parts nested more than 1 deep at offset 47
1 1 text/plain "--c\n\nx\n--c--\n"
1 2.MIME "Content-Type: message/rfc822\n"
1 2 text/plain "Subject: x\n"
`},
	{"parts without a blank line, and empty ones", Single, 9, "Content-Type: multipart/mixed; boundary=b\n\n--b\n--b\n\n--b\nX: y\n--b\ntext\n--b\nContent-Type: a/b\n\n\n--b--", `
1 HEADER "Content-Type: multipart/mixed; boundary=b\n"
1 1 text/plain ""
1 2 text/plain ""
1 3.MIME "X: y\n"
1 3 text/plain ""
1 4 text/plain "text\n"
1 5.MIME "Content-Type: a/b\n"
1 5 a/b ""
`},
	{"CRLF before a boundary", Single, 9, "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: a/b\r\n\r\nx\r\n\r\r\n--b--\r\n", `
1 HEADER "Content-Type: multipart/mixed; boundary=b\r\n"
1 1.MIME "Content-Type: a/b\r\n"
1 1 a/b "x\r\n\r"
`},
	{"mbox", Mbox, 9, `From a@b Mon Jan  3 12:00:00 2000
Subject: one

>From here
>>From there
From time to time, at 12:00 in 2000
 From x

From Mon to Tue, Jan  3, it is 12:00 in 2000
From a@b Mon Jan  3 12:00:00 2000
is text

From a@b Mon Jan  3 12:00:00 2000
>From x Mon Jan  3 12:00:00 2000 remote from y
Subject: two

2

From a at b  Mon Jan  3 12:00:00 2000
Subject: three

`, `
1 HEADER "Subject: one\n"
1 1 text/plain "From here\n>From there\nFrom time to time, at 12:00 in 2000\n From x\n\nFrom Mon to Tue, Jan  3, it is 12:00 in 2000\nFrom a@b Mon Jan  3 12:00:00 2000\nis text\n\n"
2 HEADER "Subject: two\n"
2 1 text/plain "2\n\n"
3 HEADER "Subject: three\n"
3 1 text/plain ""
`},
	{"mbox without blank lines, doubtful lines", Mbox, 9, `From a@b
Subject: one

1
From - Mon Jan  3 12:00:00 2000
Subject: two

2

From a@b
Subject: three

From a@b

From a@b:
Subject: x
`, `
1 HEADER "Subject: one\n"
1 1 text/plain "1\n"
2 HEADER "Subject: two\n"
2 1 text/plain "2\n\n"
3 HEADER "Subject: three\n"
3 1 text/plain "From a@b\n\nFrom a@b:\nSubject: x\n"
`},
	{"mbox, CRLF inside, LF around", Mbox, 9, "From a@b Thu Jan  1 00:00:00 1970\nSubject: x\r\n\r\n1\r\n\nFrom a@b Thu Jan  1 00:00:00 1970\nSubject: y\r\n\r\n>From\r\n>From 2\r\n", `
1 HEADER "Subject: x\r\n"
1 1 text/plain "1\r\n\n"
2 HEADER "Subject: y\r\n"
2 1 text/plain ">From\r\nFrom 2\r\n"
`},
	{"mbox, multipart cut", Mbox, 9, `
From a@b Mon Jan  3 12:00:00 2000
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: a/b

x
>From y

From a@b Mon Jan  3 12:00:00 2000
Subject: x

--b
`, `
1 HEADER "Content-Type: multipart/mixed; boundary=b\n"
1 1.MIME "Content-Type: a/b\n"
1 1 a/b "x\nFrom y\n"
! mime: multipart without a closing boundary at offset 112
2 HEADER "Subject: x\n"
2 1 text/plain "--b\n"
`},
	{"mboxcl, true", Mbox, 9, `From a@b Mon Jan  3 12:00:00 2000
Content-Length: 43

1

From a@b Mon Jan  3 12:00:00 2000
Y: 
2

From a@b Mon Jan  3 12:00:00 2000
Content-Length: 40

3

From a@b Mon Jan  3 12:00:00 2000
Z:
`, `
1 HEADER "Content-Length: 43\n"
1 1 text/plain "1\n\nFrom a@b Mon Jan  3 12:00:00 2000\nY: \n2\n\n"
2 HEADER "Content-Length: 40\n"
2 1 text/plain "3\n\nFrom a@b Mon Jan  3 12:00:00 2000\nZ:\n"
`},
	{"mboxcl, untrue", Mbox, 9, `From a@b Mon Jan  3 12:00:00 2000
Content-Length: 40

1

From a@b Mon Jan  3 12:00:00 2000
Subject: y

2
`, `
1 HEADER "Content-Length: 40\n"
1 1 text/plain "1\n\n"
2 HEADER "Subject: y\n"
2 1 text/plain "2\n"
`},
	{"mbox by order", Mbox, 9, "Text\nhttp://a/\n\nFrom a@b Mon Jan  3 12:00:00 2000\nA: b\n", `
1 1 text/plain "Text\nhttp://a/\n\n"
2 HEADER "A: b\n"
2 1 text/plain ""
`},
	{"From_ lines only", Mbox, 9, "From a@b Mon Jan  3 12:00:00 2000\nFrom a@b Mon Jan  3 12:00:00 2000\n", `
1 1 text/plain ""
2 1 text/plain ""
`},
	{"From_ lines without a date", Mbox, 9, "From \nSubject: a\n\n1\n\nFrom - \r\nX-Mozilla-Status: 1\r\n\r\n2\r\n\r\nFrom -8946248053963491671\nTo: c\n\n3\n\nFrom someone 2000-01-03\n>From me\nDate: d\n\n4\n", `
1 HEADER "Subject: a\n"
1 1 text/plain "1\n\n"
2 HEADER "X-Mozilla-Status: 1\r\n"
2 1 text/plain "2\r\n\r\n"
3 HEADER "To: c\n"
3 1 text/plain "3\n\n"
4 HEADER "Date: d\n"
4 1 text/plain "4\n"
`},
	{"lines that begin with From and do not separate", Mbox, 9, "From \nSubject: a\n\n1\nFrom here\nTo: b\n\nFrom there\nNote: no\n\nFrom joe@b.example:\nTo: c\n\nFrom him,\nTo: c\n\nFrom\nTo: c\n\n>From x\nTo: c\n\nFrom \n\nTo: c\n", `
1 HEADER "Subject: a\n"
1 1 text/plain "1\nFrom here\nTo: b\n\nFrom there\nNote: no\n\nFrom joe@b.example:\nTo: c\n\nFrom him,\nTo: c\n\nFrom\nTo: c\n\nFrom x\nTo: c\n\nFrom \n\nTo: c\n"
`},
	{"From_ lines with a reference", Mbox, 9, "From http://a/ Mon Jan  3 12:00:00 2000\nSubject: a\n\n1\n\nFrom Jan  3 12:00:00 2000 on\nx\n\nFrom Mon Jan  3 12:00:00 2000 on: http://b/\nx\n\nFrom http://c/\nTo: b\n", `
1 FROM text/plain "From http://a/ Mon Jan  3 12:00:00 2000\n"
1 HEADER "Subject: a\n"
1 1 text/plain "1\n\nFrom Jan  3 12:00:00 2000 on\nx\n\n"
2 FROM text/plain "From Mon Jan  3 12:00:00 2000 on: http://b/\n"
2 1 text/plain "x\n\n"
3 FROM text/plain "From http://c/\n"
3 HEADER "To: b\n"
3 1 text/plain ""
`},
	{"emlx", Emlx, 9, "21   \nSubject: a\n\n12345678\n<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC>\n<plist/>\n", `
1 HEADER "Subject: a\n"
1 1 text/plain "12345678\n"
`},
	{"emlx, a count that ends within a line", Emlx, 9, "20\r\nSubject: a\n\n12345678<?xml version=\"1.0\"?>\n", `
1 HEADER "Subject: a\n"
1 1 text/plain "12345678"
`},
	{"emlx, wrong count", Emlx, 9, "11\nSubject: a\n\n<?xml\n<!DOCTYPE html>\n<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC>\n<plist/>\n", `
1 HEADER "Subject: a\n"
! emlx: no property list after the message at offset 14
1 1 text/plain "<?xml\n<!DOCTYPE html>\n<?xml version=\"1.0\"?>\n"
`},
	{"emlx, truncated", Emlx, 9, "100\nSubject: a\n\n1\n", `
1 HEADER "Subject: a\n"
1 1 text/plain "1\n"
! emlx: stream ends 86 bytes before the end of the message at offset 18
`},
	{"a message in parts", Mbox, 9, "From \nSubject: p1\nContent-Type: message/partial; number=1; id=\"a b\"\n\nSubject: whole\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\none=\n\nFrom - Mon Jan  3 12:00:00 2000\n>From x\nSubject: p2\nContent-Type: Message/Partial;\n id=\"a b\"; number=2\n\ntwo\n--b\n\n\nFrom \nContent-Type: message/partial; id=\"a b\"; number=3\nX-Url: http://x/\n\n--b--\nend\n\nFrom \nSubject: next\n\n4\n", `
1 HEADER "Subject: p1\nContent-Type: message/partial; number=1; id=\"a b\"\n"
1 1.HEADER "Subject: whole\nContent-Type: multipart/mixed; boundary=b\n"
1 1.1 text/plain "one=\ntwo"
1 1.2 text/plain ""
! mime: references in the header of part 3 of a message are not read at offset 252
1 1.TEXT text/plain "end\n"
4 HEADER "Subject: next\n"
4 1 text/plain "4\n"
`},
	{"messages in parts that do not follow one another", Mbox, 9, "From \nContent-Type: message/partial; number=1; id=a\n\nSubject: w\n\none\n\nFrom \nContent-Type: message/partial; number=2; id=b\n\ntwo\n\nFrom \nContent-Type: message/partial; id=b\n\nthree\n", `
1 HEADER "Content-Type: message/partial; number=1; id=a\n"
1 1.HEADER "Subject: w\n"
1 1.1 text/plain "one\n"
2 HEADER "Content-Type: message/partial; number=2; id=b\n"
! mime: part 2 of a message is read as plain text: it is only joined with part 1 directly in front of it in an mbox at offset 76
2 1 message/partial "two\n\n"
3 HEADER "Content-Type: message/partial; id=b\n"
! mime: a part of a message, without a number, is read as plain text at offset 134
3 1 message/partial "three\n"
`},
	{"a message in parts, without a blank line in front of a From_ line", Mbox, 9, "From \nContent-Type: message/partial; number=1; id=x\n\nSubject: w\n\nhttp://one.example/ab\nFrom a@b Mon Jan  3 12:00:00 2000\nContent-Type: message/partial; number=2; id=x\n\ncd\n", `
1 HEADER "Content-Type: message/partial; number=1; id=x\n"
1 1.HEADER "Subject: w\n"
1 1.1 text/plain "http://one.example/ab\ncd\n"
`},
	{"prose in a multipart that begins with From", Mbox, 9, "From \nContent-Type: multipart/mixed; boundary=bb\n\n--bb\n\nx\n\nFrom Alice Smith\nTo: Bob\n\n--bb--\n\nFrom the desk of\nRe-Mail: joe\n\nFrom me\nSubject: next\n", `
1 HEADER "Content-Type: multipart/mixed; boundary=bb\n"
1 1 text/plain "x\n\nFrom Alice Smith\nTo: Bob\n\n"
1 TEXT text/plain "From the desk of\nRe-Mail: joe\n\n"
2 HEADER "Subject: next\n"
2 1 text/plain ""
`},
	{">From lines with colons", Mbox, 9, "From \n>From @A.GOV:b@c.example Wed Mar 12 10:00:00 1985\n>From b@c.example Wed Mar 12 10:00:00 1985\nSubject: old\n\nx\n", `
1 FROM text/plain ">From @A.GOV:b@c.example Wed Mar 12 10:00:00 1985\n"
1 HEADER "Subject: old\n"
1 1 text/plain "x\n"
`},
	{"the first part of a message alone", Single, 9, "Content-Type: message/partial; number=1; id=a\n\nSubject: w\nContent-Type: text/html\n\none\n", `
1 HEADER "Content-Type: message/partial; number=1; id=a\n"
1 1.HEADER "Subject: w\nContent-Type: text/html\n"
1 1.1 text/html "one\n"
`},
	{"transfer encodings as people write them", Mbox, 9, "From \nContent-Transfer-Encoding: base 64\n\n\nFrom \nContent-Transfer-Encoding: x-base64\n\n\nFrom \nContent-Transfer-Encoding: \"Quoted Printable\"\n\n\nFrom \nContent-Transfer-Encoding: (c) X-Quoted-Printable (d); x\n\n\nFrom \nContent-Transfer-Encoding: 8 bit\n\n\nFrom \nContent-Transfer-Encoding: x-foo bar\n\n\nFrom \nContent-Transfer-Encoding: 7bit utf-8\n\n\nFrom \nContent-Transfer-Encoding: quoted-printable charset\n\n", `
1 HEADER "Content-Transfer-Encoding: base 64\n"
1 1 text/plain base64 "\n"
2 HEADER "Content-Transfer-Encoding: x-base64\n"
2 1 text/plain base64 "\n"
3 HEADER "Content-Transfer-Encoding: \"Quoted Printable\"\n"
3 1 text/plain quoted-printable "\n"
4 HEADER "Content-Transfer-Encoding: (c) X-Quoted-Printable (d); x\n"
4 1 text/plain quoted-printable "\n"
5 HEADER "Content-Transfer-Encoding: 8 bit\n"
5 1 text/plain "\n"
6 HEADER "Content-Transfer-Encoding: x-foo bar\n"
6 1 text/plain x-foo "\n"
7 HEADER "Content-Transfer-Encoding: 7bit utf-8\n"
7 1 text/plain "\n"
8 HEADER "Content-Transfer-Encoding: quoted-printable charset\n"
8 1 text/plain quoted-printable ""
`},
	{"rnews", Rnews, 9, "#! rnews 13\nPath: a\n\n1234#! rnews 14 x\nPath: b\n\n1\n\n3\n#! rnews 0\n#! rnews 8\nPath: c\n", `
1 HEADER "Path: a\n"
1 1 text/plain "1234"
2 HEADER "Path: b\n"
2 1 text/plain "1\n\n3\n"
3 1 text/plain ""
4 HEADER "Path: c\n"
4 1 text/plain ""
`},
	{"rnews, a count that ends in a From_ line", Rnews, 9, "#! rnews 3\nFrom a@b Mon Jan  3 12:00:00 2000\nPath: a\n\n1\n#! rnews 4\n", `
1 HEADER "Path: a\n"
! rnews: no batch line after the article at offset 14
1 1 text/plain "1\n"
2 1 text/plain ""
! rnews: stream ends 4 bytes before the end of the article at offset 67
`},
	{"rnews, wrong counts", Rnews, 9, "#! rnews 12\nPath: a\n\n1234\n56\n#! rnews x\nPath: b\n\n1\n#! rnews 4\nPath: c\n\nx\n#! rnews 99\nPath: d\n", `
1 HEADER "Path: a\n"
1 1 text/plain "1234\n56\n"
! rnews: no batch line after the article at offset 24
! rnews: batch line without a count at offset 29
2 HEADER "Path: b\n"
2 1 text/plain "1\n"
3 HEADER "Path: c\n"
! rnews: no batch line after the article at offset 66
3 1 text/plain "x\n"
4 HEADER "Path: d\n"
4 1 text/plain ""
! rnews: stream ends 91 bytes before the end of the article at offset 93
`},
	{"Babyl", Babyl, 9, "BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\x1f\f\n1, answered,,\nSummary-line: x\nSubject: whole\n\n*** EOOH ***\nSubject: seen\n\nbody\n\x1f\f\n0,,\n*** EOOH ***\nSubject: two\n\nb2\n\x1f", `
1 HEADER "Summary-line: x\nSubject: whole\n"
1 1 text/plain "body\n"
2 HEADER "Subject: two\n"
2 1 text/plain "b2\n"
`},
	{"MMDF", MMDF, 9, "\x01\x01\x01\x01\nSubject: 1\n\na\n\x01\x01\x01\x01\n\x01\x01\x01\x01\nSubject: 2\n\nb\n\x01\x01\x01\x01\n", `
1 HEADER "Subject: 1\n"
1 1 text/plain "a\n"
2 HEADER "Subject: 2\n"
2 1 text/plain "b\n"
`},
	{"uuencode and yEnc", Single, 9, "Subject: x\n\nbefore\nbegin 644 cat.txt\n#0V%T\n`\nend\nbehind\nbegin 644 a thing\nbegin the day\nbegin 755 x\n#0V%T\nno data\n=ybegin line=128 size=3 name=x\n\x80\x81\n=yend size=3\nlast\nbegin 644 x\n#0V%T", `
1 HEADER "Subject: x\n"
1 1 text/plain "before\nbehind\nbegin 644 a thing\nbegin the day\nno data\nlast\n"
`},
	{"uuencode cut by a boundary", Single, 9, "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nbegin 644 x\n#0V%T\n--b\n\n=ybegin line=1 name=\n\n--b--\nbegin 644 a\n`\nend\ny", `
1 HEADER "Content-Type: multipart/mixed; boundary=b\n"
1 1 text/plain ""
1 2 text/plain ""
1 TEXT text/plain "y"
`},
}

func TestReader(t *testing.T) {
	for _, c := range boxes {
		t.Run(c.name, func(t *testing.T) {
			got := show(everyWay(t, []byte(c.raw), c.f, c.depth))
			if d := cmp.Diff(strings.TrimPrefix(c.want, "\n"), got); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

// TestArticle checks that a part of a multipart belongs to the article around it, and that a
// message in a part is a separate article (RFC 2046, sections 5.1 and 5.2.1).
func TestArticle(t *testing.T) {
	const raw = "Newsgroups: n.g\nMessage-ID: <1@h>\nContent-Type: multipart/mixed; boundary=B\n\nfront\n" +
		"--B\nNewsgroups: other\nMessage-ID: <2@h>\n\na\n" +
		"--B\nContent-Type: message/rfc822\n\nSubject: s\nMessage-ID: <3@h>\n\nb\n" +
		"--B\nContent-Type: message/rfc822\n\nNewsgroups: n.g\nMessage-ID: <4@h>\nContent-Type: multipart/mixed; boundary=C\n\n--C\n\nc\n--C--\nd\n" +
		"--B\n\ne\n--B--\nend\n"
	want := "HEADER 1@h, TEXT 1@h, 1.MIME 1@h, 1 1@h, 2.MIME 1@h, 2.HEADER , 2.1 , 3.MIME 1@h, " +
		"3.HEADER 4@h, 3.1 4@h, 3.TEXT 4@h, 4 1@h, TEXT 1@h"
	var got []string
	for _, f := range everyWay(t, []byte(raw), Single, 9) {
		if f.part.Article != (f.part.ArticleID != "") {
			t.Errorf("%s: article %v with the Message-ID %q", f.part.Section, f.part.Article, f.part.ArticleID)
		}
		got = append(got, f.part.Section+" "+f.part.ArticleID)
	}
	if got := strings.Join(got, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
