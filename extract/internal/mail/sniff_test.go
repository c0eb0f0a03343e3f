package mail

import (
	"strings"
	"testing"
)

// heads are beginnings of streams. At a '|' the format becomes certain: with fewer bytes Sniff
// needs more, and with more bytes the answer is the same. Without a '|' Sniff needs the whole text.
var heads = []struct {
	want Framing
	head string
}{
	{Mbox, "From a@b Mon Jan  3 12:00:00 2000\nSubject:| x\n"},
	{Mbox, "From a@b.example Mon Jan  3 12:00 EST 2000\r\nX:|"},
	{Mbox, "From upi at papat.org  Wed Feb  1 19:06:04 2006\nFrom:| x"},
	{Mbox, "From Martin M <m@x.example>  Tue Apr  1 09:28:56 1997\nFrom:|"},
	{Mbox, "From - Fri Jun  9 23:17:56 2000\nX-Mozilla-Status:| 0\n"},
	{Mbox, "From ???@??? Mon Jan 03 12:00:00 2000\nReceived:| x"},
	{Mbox, "From a@b Thu, 17 Oct 2013 02:13:03 +0200\nA:|"},
	{Mbox, "From klopp Mon Jan  5 08:50:15 +0100 2004\nA:|"},
	{Mbox, "From VM Mon Mar  1 17:26:34 2004\nX-VM-v5-Data:|"},
	{Mbox, "From 18443@xxx Mon Sep 22 14:16:51 +0000 2025\nX-GM-THRID:| 1"},
	{Mbox, "From MAILER-DAEMON Mon Jan  3 12:00:00 70\n>From x Mon Jan  3 12:00:00 2000 remote from y\n>From y\nA:|"},
	{Mbox, "From a@b\nReceived:| x\n"},
	{Mbox, "\n\r\nFrom a@b Mon Jan  3 12:00:00 2000\nA:|"},
	{Mbox, "From a@b Mon Jan  3 12:00:00 2000\n"},
	{None, "From a@b Mon Jan  3 12:00:00 2000\nno f|ield"},
	{Mbox, "From \nFrom:| x\n"},
	{Mbox, "From \r\nX-Mozilla-Status:| 0001\r\n"},
	{Mbox, "From - \nSubject:| x\n"},
	{Mbox, "From -8946248053963491671\nX-Google-Language:| ENGLISH\n"},
	{Mbox, "From someone\nReceived:| x\n"},
	{Mbox, "From someone 2000-01-03 12:00:00\nDate:| x\n"},
	{None, "From here to there\nit i|s far\n"},
	{None, "From Monday on, at 12:00 of Jan 3 in 2000\nA:| b\n"},
	{None, "From \nNote:| b\n"},
	{None, "From joe@example.com:\n|Subject: x\n"},
	{None, "From a@b\nNote:| x\n"},
	{None, "Frog\n|"},
	{Single, "\nSubject: x\nFrom:| y\n"},
	{Emlx, "217       \nReceived:| x\n"},
	{Emlx, "217\r\nSubject: x\nFrom:| y\n"},
	{None, "217\nA t|ext\n"},
	{None, "217 m|essages\nSubject: x\nFrom: y\n"},
	{None, "1234567890123456789\n|Subject: x\nFrom: y\n"},
	{Rnews, "#! rnews |123\n"},
	{None, "#! c|unbatch\n"},
	{Babyl, "BABYL OPTIONS|:\n"},
	{MMDF, "\x01\x01\x01\x01\n|"},
	{MMDF, "\x01\x01\x01\x01\r\n|"},
	{Single, "Received:| from x\n"},
	{Single, "Path:| a!b"},
	{Single, "PATH:|"},
	{Single, "X-Foo: bar\n baz\nMessage-Id:|"},
	{Single, "X-Foo: bar\n baz\nSubject: x\nTo:| y\n"},
	{Single, "Subject: x\nContent-Type: t|"},
	{Single, "Content-Type: text/plain\nSubject:|"},
	{Single, "Content-Type: Multipart/|mixed; boundary=x\n"},
	{None, "Content-Type: multipart\n\n|"},
	{Single, "Content-Type: text/plain\nContent-Transfer-Encoding:|"},
	{Mbox, "From - Mon May 27 13:05:14 1996\r\r\nNewsgroups:| x\r\r\n"},
	{Single, "From: a\nSubject:|"},
	{Single, ">From a Mon Jan  3 12:00:00 2000\nReceived:|"},
	{None, "From: a\nFrom: b\n\n|"},
	{None, "Subject: x\n\n|text\n"},
	{None, "Subject: x\nNote:| y\n"},
	{None, "Subject: x\nsome t|ext\n"},
	{None, "Content-Type: a\nKeywords: b\n\n|"},
	{None, "Subject: x\n"},
	{None, "INFO:| http://a/\n"},
	{None, "error:| x\n"},
	{None, "http:|//a/\n"},
	{None, "Note:| see <http://a/>\n"},
	{None, "2024-01-02T10:|00:00 x\n"},
	{None, "A t|ext\n"},
	{None, " |x\n"},
	{None, "\x00|"},
	{None, ""},
	{None, "\n"},
	{None, strings.Repeat("x", nameMax-1) + "x|x"},
}

func TestSniff(t *testing.T) {
	for _, c := range heads {
		before, after, sure := strings.Cut(c.head, "|")
		head := before + after
		if f, wait := Sniff([]byte(head), true); f != c.want || wait {
			t.Errorf("%q: %v %v, want %v", head, f, wait, c.want)
		}
		for n := range len(head) + 1 {
			f, wait := Sniff([]byte(head[:n]), false)
			if sure && n >= len(before) {
				if f != c.want || wait {
					t.Errorf("%q: %v %v, want %v", head[:n], f, wait, c.want)
				}
			} else if !wait {
				t.Errorf("%q: %v, want to wait", head[:n], f)
			}
		}
	}
}

func TestFromLine(t *testing.T) {
	for _, c := range []struct {
		want grade
		line string
	}{
		{dated, "From a@b  Sat Sep  1 20:58 EDT 2001"},
		{dated, "From a b c Sat Sep  1 20:58:00 2001 remote from x"},
		{dated, "From x Sep 1 20:58 2001"},
		{dated, "From x Sat, 1 Sep 01 20:58:00 GMT"},
		{undated, "From a@b"},
		{undated, "From a@b 12:00"},
		{undated, "From <a@b>"},
		{undated, "From "},
		{undated, "From - "},
		{undated, "From -8946248053963491671"},
		{undated, "From someone 2000-01-03 12:00:00"},
		{prose, "From time to time"},
		{prose, "From Alice Smith"},
		{noFrom, "From a@b,"},
		{noFrom, "From joe@b.example:"},
		{noFrom, "From a@b Mon Jan  3 12:00:00 2000\rFrom: a"},
		{undated, "From x 20:58 2001"},
		{undated, "From the talk on Sat at 20:58 on Sep 1 of 2001"},
	} {
		if got := fromLine([]byte(c.line)); got != c.want {
			t.Errorf("%q: %v, want %v", c.line, got, c.want)
		}
	}
}

// FuzzSniff checks that an answer that was certain does not change with more bytes.
func FuzzSniff(f *testing.F) {
	for _, c := range heads {
		f.Add([]byte(strings.Replace(c.head, "|", "", 1)))
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		if len(head) > 4096 {
			return
		}
		want, wait := Sniff(head, true)
		if wait {
			t.Fatalf("%q: waits at the end", head)
		}
		for n := range head {
			if got, wait := Sniff(head[:n], false); !wait && got != want {
				t.Fatalf("%q: %v after %d bytes, %v at the end", head, got, n, want)
			}
		}
	})
}
