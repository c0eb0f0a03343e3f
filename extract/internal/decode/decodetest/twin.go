package decodetest

import (
	"slices"
	"testing"
	"unicode/utf8"
)

// A Twin is the output of a slow decoder for a whole input: the text and, for each byte of
// it, the encoded unit [lo, hi) in the input.
type Twin struct {
	Text   []byte
	lo, hi []int64
}

// Add appends text that was decoded from the unit raw[lo:hi].
func (s *Twin) Add(text string, lo, hi int) {
	for i := range len(text) {
		s.Text = append(s.Text, text[i])
		s.lo, s.hi = append(s.lo, int64(lo)), append(s.hi, int64(hi))
	}
}

// Copied appends raw[lo:hi] verbatim.
func (s *Twin) Copied(raw []byte, lo, hi int) {
	for i := lo; i < hi; i++ {
		s.Add(string(raw[i:i+1]), i, i+1)
	}
}

// Check fails the test if got, which was read of raw, is not what s has.
func (s Twin) Check(t *testing.T, raw []byte, got Reading) {
	t.Helper()
	if got.Err != "" || got.Text != string(s.Text) || !slices.Equal(got.Lo, s.lo) || !slices.Equal(got.Hi, s.hi) {
		t.Fatalf("%q %s\n got %q\nwant %q\n got %v\nwant %v\n got %v\nwant %v", raw, got.Err, got.Text, s.Text, got.Lo, s.lo, got.Hi, s.hi)
	}
}

// CheckOrder fails unless the spans are in order and within an input of n bytes.
func CheckOrder(t *testing.T, got Reading, n int) {
	t.Helper()
	if !utf8.ValidString(got.Text) {
		t.Fatalf("text %q is no UTF-8", got.Text)
	}
	for i := range got.Lo {
		if got.Lo[i] > got.Hi[i] || got.Hi[i] > int64(n) || i > 0 && (got.Lo[i] < got.Lo[i-1] || got.Hi[i] < got.Hi[i-1]) {
			t.Fatalf("%q: span of byte %d is [%d:%d]", got.Text, i, got.Lo[i], got.Hi[i])
		}
	}
}

// CharsetTexts has texts in each charset, and the same in UTF-8.
var CharsetTexts = []struct{ Label, Raw, Text string }{
	{"utf-8", "\xEF\xBB\xBFa\u00e9", "a\u00e9"},
	{"us-ascii", "a\xe9\u00e9\x00", "a\u00e9\u00e9\x00"},
	{"iso-8859-1", "caf\xe9 \x93a\x94\r\n", "caf\u00e9 \u201ca\u201d\r\n"},
	{"koi8-r", "\xD0\xD2\xC9\xD7\xC5\xD4 http://a/ \xD7\xD3\xC5\xCD", "\u043f\u0440\u0438\u0432\u0435\u0442 http://a/ \u0432\u0441\u0435\u043c"},
	{"iso-8859-7", "\xe1\xa1\xff", "\u03b1\u2018\ufffd"},
	{"cp500", "\x88\xa3\xa3\x97\x7a\x61\x61\x81\x61\x4a\xf1\x5a\x5f\x4f\xbb\x25\x15\xb0\xba\xdf", "http://a/[1]^!|\n\n\u00a2\u00ac\u00ff"},
	{"IBM037", "\xba\xf1\xbb\xb0\x5a\x4f\x4a\x5f", "[1]^!|\u00a2\u00ac"},
	{"ibm-1047", "\xad\xf1\xbd\x5f\x5a\x4f", "[1]^!|"},
	{"cp858", "\xd5", "\u20ac"},
	{"cp01140", "\x9f\xf1", "\u20ac1"},
	{"shift_jis", "\x83\x5c\x95\x5c http://a/ \xb1\x80\xfd", "\u30bd\u8868 http://a/ \uff71\u0080\ufffd"},
	{"shift_jis", "\x81<\x81\n\x81", "\ufffd<\ufffd\n\ufffd"},
	{"shift_jis", "\xf6\x5d\xf6\x7f", "\ufffd\ufffd\x7f"},
	{"euc-jp", "\xc6\xfc\xcb\xdc\x8e\xb1\x8f\xb0\xa1a\x8f\xb0<\xc6\n", "\u65e5\u672c\uff71\u4e02a\ufffd<\ufffd\n"},
	{"gb2312", "\xd6\xd0\xce\xc4 http://a/ \x80\xd6\n\x81\x30\x81\x30<", "\u4e2d\u6587 http://a/ \u20ac\ufffd\n\u0080<"},
	{"gbk", "\x81\x40\xff\x813\x81<\x81", "\u4e02\ufffd\ufffd3\ufffd<\ufffd"},
	{"gb18030", "\x90\x30\x81\x30", "\U00010000"},
	{"big5", "\xa4\xa4\xa4\xe5\x88\x62\xa4<\xa4", "\u4e2d\u6587\u00ca\u0304\ufffd<\ufffd"},
	{"euc-kr", "\xc7\xd1\xb1\xdb \xc7<\xc7", "\ud55c\uae00 \ufffd<\ufffd"},
	{"iso-2022-jp", "\x1b$BF|K\\\x1b(B http://a/ \x1b$@F|\n\x1b(Ja~\x1b(I1\x1b(B\xe9", "\u65e5\u672c http://a/ \u65e5\na~\uff71\ufffd"},
	{"iso-2022-jp", "\x1b$BF\n<\x1b$BF|\x1b(D\x1b", "\ufffd\n<\u65e5\x1b\ufffd\x1b"},
	{"iso-2022-jp-1", "\x1b$(D0!\x1b(B.", "\u4e02."},
	{"iso-2022-jp-2", "\x1b$AVP\x1b$(CGQ\x1b(B\x1b.A\x1bNia", "\u4e2d\ud55c\u00e9a"},
	{"iso-2022-kr", "\x1b$)C\n\x0eGQ1[\x0f http://a/\n\x0eGQ\n a", "\n\ud55c\uae00 http://a/\n\ud55c\n a"},
	{"hz-gb-2312", "~{VPND~} http://a/~b ~~ ~{VP\n ~\nc~", "\u4e2d\u6587 http://a/~b ~ \u4e2d\n c~"},
	{"utf-7", "a+AD0-b+AOk-c+2D3eAA-+-d 1+1 x+ +ZeVnLA", "a=b\u00e9c\U0001F600+d 1+1 x+ \u65e5\u672c"},
	{"utf-7", "+AGgAdAB0AHAAOgAvAC8AYQAv-\xff", "http://a/\ufffd"},
	{"utf-16", "\xff\xfea\x00\xe9\x00", "a\u00e9"},
	{"utf-16", "\xfe\xff\x00a\x00", "a\ufffd"},
	{"utf-16", "\x00a\x4e\x2d", "a\u4e2d"},
	{"utf-16", "a\x00\x2d\x4e", "a\u4e2d"},
	{"utf-16", "http://www.example.org/\xe4", "\u6874\u7470\u3a2f\u2f77\u7777\u2e65\u7861\u6d70\u6c65\u2e6f\u7267\u2fe4"},
	{"utf-16", "http://www.example.org/ and on\nand on\xe4", "http://www.example.org/ and on\nand on\u00e4"},
	{"utf-16le", "a\x00", "a"},
	{"utf-16be", "\x00a\xd8\x00\x00b", "a\ufffdb"},
	{"utf-32", "\x00\x00\x00a\x00\x01\xf6\x00", "a\U0001F600"},
	{"utf-32", "a\x00\x00\x00", "a"},
	{"nobody-knows", "a\xe9", "a\u00e9"},
}
