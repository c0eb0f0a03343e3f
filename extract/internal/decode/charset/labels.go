package charset

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// A label is searched in three tables: the aliases of this package, the index of the WHATWG,
// which has the labels in use, and the index of IANA, which has the registered names. A label
// that is in none is tried again by its family, such as "cp-1252" or "iso_8859-1_something".
// This is done once for each label; then the result is kept.

// maxCharsets is how many labels, with their decoders, a Decoders keeps.
const maxCharsets = 64

// Decoders makes decoders to UTF-8 by the labels of charsets in mail, and keeps at most 64
// of them. The zero Decoders is ready. It is not for concurrent use.
type Decoders struct {
	made map[string]madeCharset
}

type madeCharset struct {
	d     decode.Decoder
	known bool
}

// Decoder returns the Decoder for label, which may be in any case, and may have quotes, blanks
// and the like around it. It returns the same Decoder each time, so use it in one link at a
// time. The link resets it. For labels of UTF-8 and ASCII, for labels without meaning ("",
// "x-unknown", "8bit"), and for an unknown label, the Decoder reads bytes that are not UTF-8 as
// windows-1252 (see [NewLenient]). known is false for an unknown label. ISO-8859-1 is read as
// windows-1252, GB2312 as GB18030, and so on, as in the WHATWG standard. A byte order mark at
// the beginning is removed. Input that is no character becomes U+FFFD, and is no damage.
// Decoder does not keep label.
func (c *Decoders) Decoder(label []byte) (d decode.Decoder, known bool) {
	var room [maxLabel]byte
	name := cleanLabel(room[:0], label)
	m, ok := c.made[string(name)]
	if !ok {
		if c.made == nil || len(c.made) == maxCharsets {
			c.made = make(map[string]madeCharset)
		}
		key := string(name)
		m.d, m.known = newCharset(key)
		c.made[key] = m
	}
	return m.d, m.known
}

// cleanLabel appends at most maxLabel bytes of the label to room, in lower case. It removes
// everything in front of the first letter or digit, and everything from the first byte on that
// cannot be in the name of a charset. Of "charset=x" it keeps x.
func cleanLabel(room, label []byte) []byte {
	for _, c := range label {
		switch {
		case octet.IsLetter(c) || octet.IsDigit(c):
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
		case c == '=':
			room = room[:0]
			continue
		case strings.IndexByte("-_.:+()", c) < 0 && len(room) > 0:
			return room
		case strings.IndexByte("-_.:+()", c) < 0 || len(room) == 0:
			continue
		}
		if len(room) == maxLabel {
			break
		}
		room = append(room, c)
	}
	return room
}

// newCharset makes a Decoder for a clean label.
func newCharset(name string) (d decode.Decoder, known bool) {
	for range 2 {
		if to, ok := labelAliases[name]; ok {
			name = to
		}
		if d := ownCharset(name); d != nil {
			return d, true
		}
		if e, err := htmlindex.Get(name); err == nil && e != encoding.Replacement {
			if d := fromEncoding(e); d != nil {
				return d, true
			}
		}
		if e, err := ianaindex.MIME.Encoding(name); err == nil {
			if d := fromEncoding(e); d != nil {
				return d, true
			}
		}
		name = labelFamily(name)
	}
	return newMarked(UTF8), false
}

// ownCharset returns a Decoder of this package, or nil.
func ownCharset(name string) decode.Decoder {
	switch name {
	case labelNone:
		return newMarked(UTF8)
	case labelUTF7:
		return new(utf7Decoder)
	case labelUTF16, "utf-16be":
		return newMarked(UTF16BE)
	case "utf-16le":
		return newMarked(UTF16LE)
	case labelUTF32, "utf-32be":
		return newMarked(UTF32BE)
	case "utf-32le":
		return newMarked(UTF32LE)
	case labelHZ:
		return &shiftDecoder{hz: true}
	case label2022, label2022JP, label2022KR:
		return new(shiftDecoder)
	}
	return newEBCDIC(name)
}

// fromEncoding returns a Decoder with the tables of e, or nil if e is not a charset of
// text.
func fromEncoding(e encoding.Encoding) decode.Decoder {
	switch e {
	case japanese.ShiftJIS:
		return newPairDecoder(shiftJIS())
	case japanese.EUCJP:
		return newPairDecoder(eucJP())
	case simplifiedchinese.GBK, simplifiedchinese.GB18030:
		return newPairDecoder(gb18030())
	case traditionalchinese.Big5:
		return newPairDecoder(big5())
	case korean.EUCKR:
		return newPairDecoder(eucKR())
	case charmap.ISO8859_1:
		return newSingleByte(charmap.Windows1252)
	case charmap.XUserDefined:
		return newMarked(UTF8)
	}
	if m, ok := e.(*charmap.Charmap); ok && m.DecodeByte('A') == 'A' { // no EBCDIC
		return newSingleByte(m)
	}
	return nil
}

// Names of what is decoded without an x/text encoding.
const (
	labelNone   = "utf-8"
	labelUTF7   = "utf-7"
	labelUTF16  = "utf-16"
	labelUTF32  = "utf-32"
	labelHZ     = "hz-gb-2312"
	label2022   = "iso-2022"
	label2022JP = "iso-2022-jp"
	label2022KR = "iso-2022-kr"
)

// labelAliases maps labels to the names to use instead. It has the labels that neither index
// has, and those for which an index gives a less useful charset. The labels are as cleanLabel
// returns them.
var labelAliases = map[string]string{
	// Labels that say nothing, or too little.
	"":                 labelNone,
	"7bit":             labelNone, // transfer encodings, put in the wrong place
	"8bit":             labelNone,
	"binary":           labelNone,
	"base64":           labelNone,
	"ansi_x3.4-1968":   labelNone, // ASCII, by the name it has in C
	"ascii":            labelNone, // if such text has 8-bit bytes, they may be of any charset
	"us-ascii":         labelNone,
	"us":               labelNone, // the same, cut or garbled
	"us-asci":          labelNone,
	"usascii":          labelNone,
	"iso646-us":        labelNone,
	"iso-ir-6":         labelNone,
	"iso_646.irv:1991": labelNone,
	"cp367":            labelNone,
	"ibm367":           labelNone,
	"646":              labelNone, // ASCII, in Solaris
	"charset":          labelNone, // from a template that was not filled in
	"default":          labelNone,
	"default_charset":  labelNone,
	"none":             labelNone,
	"unknown":          labelNone,
	"unknown-8bit":     labelNone, // RFC 1428, 3
	"x-unknown":        labelNone, // of Pine
	"iso-8859-8bit":    labelNone,
	"x-user-defined":   labelNone, // of Netscape, for an unknown charset
	"user-defined":     labelNone,
	"utf8":             labelNone,
	"utf-8n":           labelNone, // without a byte order mark, in Japan
	"utf-8-sig":        labelNone, // with a byte order mark, in Python
	"utf8mb4":          labelNone, // UTF-8, in MySQL
	"cp65001":          labelNone,
	"windows-65001":    labelNone,

	// Unicode.
	"unicode-1-1-utf-8":   labelNone,
	"unicode-1-1-utf-7":   labelUTF7, // RFC 1642
	"unicode-2-0-utf-7":   labelUTF7,
	"csunicode11utf7":     labelUTF7,
	"x-unicode-2-0-utf-7": labelUTF7, // of Netscape
	"utf7":                labelUTF7,
	"cp65000":             labelUTF7,
	"utf16":               labelUTF16, // the index has it with the least significant byte first
	"unicode":             labelUTF16,
	"ucs-2":               labelUTF16,
	"ucs2":                labelUTF16,
	"iso-10646-ucs-2":     labelUTF16,
	"csunicode":           labelUTF16,
	"unicodefffe":         "utf-16be", // of Microsoft: how the mark FE FF looks in the wrong byte order
	"utf16be":             "utf-16be",
	"utf16le":             "utf-16le",
	"utf32":               labelUTF32,
	"ucs-4":               labelUTF32,
	"iso-10646-ucs-4":     labelUTF32,
	"utf32be":             "utf-32be",
	"utf32le":             "utf-32le",

	// Charsets that shift. Browsers reject all of these except ISO-2022-JP; mail has them.
	"csiso2022jp":      label2022,
	"csiso2022jp2":     label2022,
	"iso-2022-jp-1":    label2022, // RFC 2237
	"iso-2022-jp-2":    label2022,
	"iso-2022-jp-3":    label2022,
	"iso-2022-jp-2004": label2022,
	"iso-2022-jp-ms":   label2022,
	"iso2022jp":        label2022,
	"iso2022-jp":       label2022,
	"jis":              label2022,
	"jis7":             label2022,
	"x-jis":            label2022,
	"cp50220":          label2022, // code pages for ISO-2022-JP
	"cp50221":          label2022,
	"cp50222":          label2022,
	"csiso2022kr":      label2022,
	"iso2022-kr":       label2022,
	"iso2022kr":        label2022,
	"iso-2022-cn":      label2022,
	"iso-2022-cn-ext":  label2022,
	"hz":               labelHZ,
	"hz-gb2312":        labelHZ,
	"x-hz":             labelHZ,

	// Two bytes.
	"shift-jis":       "shift_jis",
	"shiftjis":        "shift_jis",
	"s-jis":           "shift_jis",
	"mskanji":         "shift_jis",
	"x-ms-cp932":      "shift_jis",
	"windows-932":     "shift_jis",
	"eucjp":           "euc-jp",
	"ujis":            "euc-jp",
	"x-euc":           "euc-jp",
	"cp51932":         "euc-jp",
	"cp20932":         "euc-jp",
	"eucjp-ms":        "euc-jp",
	"euc-cn":          "gb18030",
	"euccn":           "gb18030",
	"x-euc-cn":        "gb18030",
	"cn-gb":           "gb18030", // RFC 1922
	"cn-gb-isoir165":  "gb18030",
	"gb":              "gb18030",
	"gb2312-80":       "gb18030",
	"gb2312.1980-0":   "gb18030",
	"gb18030-2000":    "gb18030",
	"gbk2312":         "gb18030",
	"gb_1988-80":      labelNone, // ASCII except for two characters
	"cp54936":         "gb18030",
	"cp51936":         "gb18030",
	"cp20936":         "gb18030",
	"cn-big5":         "big5", // RFC 1922
	"big-5":           "big5",
	"big5hkscs":       "big5",
	"big5-eten":       "big5",
	"big5-hkscs:2004": "big5",
	"x-windows-950":   "big5",
	"euckr":           "euc-kr",
	"uhc":             "euc-kr",
	"ksc5601":         "euc-kr",
	"ksc_5601-1987":   "euc-kr",
	"ks_c_5601":       "euc-kr",
	"ks_c_5601_1987":  "euc-kr",
	"ks-c-5601-1987":  "euc-kr",
	"ks_c-5601-1987":  "euc-kr",
	"x-euc-kr":        "euc-kr",
	"x-windows-949":   "euc-kr",
	"cp51949":         "euc-kr",
	"cp20949":         "euc-kr",

	// One byte.
	"ansi":          "windows-1252",
	"x-ansi":        "windows-1252",
	"latin-1":       "windows-1252",
	"latin":         "windows-1252",
	"iso-latin-1":   "windows-1252",
	"iso8859":       "windows-1252",
	"iso-8859":      "windows-1252",
	"west-european": "windows-1252",
	"latin-9":       "iso-8859-15",
	"latin9":        "iso-8859-15",
	"latin0":        "iso-8859-15",
	"latin-2":       "iso-8859-2",
	"koi-8":         "koi8-r",
	"koi8r":         "koi8-r",
	"koi8u":         "koi8-u",
	"cp20866":       "koi8-r",
	"cp21866":       "koi8-u",
	"alt":           "ibm866",      // of DOS, in Russia
	"iso-8859-11":   "windows-874", // the same except for a few characters
	"tis620":        "windows-874",
	"tis-620-2533":  "windows-874",
	"ascii-1251":    "windows-1251",
	"macroman":      "macintosh",
	"mac-roman":     "macintosh",
	"apple-roman":   "macintosh",
	"x-macroman":    "macintosh",
	"cp10000":       "macintosh",
	"mac-cyrillic":  "x-mac-cyrillic",
	"maccyrillic":   "x-mac-cyrillic",
	"cp10007":       "x-mac-cyrillic",

	// EBCDIC. Names with a number are in codePages.
	"ebcdic-cp-us":      "ibm037",
	"ebcdic-cp-ca":      "ibm037",
	"ebcdic-cp-wt":      "ibm037",
	"ebcdic-cp-nl":      "ibm037",
	"ebcdic-us-37+euro": "ibm1140",
	"ebcdic-cp-be":      "ibm500",
	"ebcdic-cp-ch":      "ibm500",
	"ebcdic-int":        "ibm500",
	"csibm037":          "ibm037",
	"csibm500":          "ibm500",
	"csibm1047":         "ibm1047",
	"ccsid01140":        "ibm1140",
}

// labelFamilies maps prefixes of labels to names. Punctuation and "x-" are removed from a label
// before it is compared. The number after the prefix is appended to the name; the rest of the
// label is ignored.
var labelFamilies = [...]struct {
	prefix, name string
	digits       int // most digits of that number
}{
	{"iso8859", "iso-8859-", 2},
	{"8859", "iso-8859-", 2},
	{"mswin", "windows-", 4},
	{"mscp", "cp", 5},
	{"ms", "cp", 5},
	{"windowscp", "cp", 5},
	{"windows", "windows-", 4},
	{"win", "windows-", 4},
	{"codepage", "cp", 5},
	{"cp", "cp", 5},
	{"ibm", "ibm", 5},
	{"dos", "ibm", 3},
	{"oem", "ibm", 3},
	{"utf8", labelNone, 0},
	{"utf16", labelUTF16, 0},
	{"iso2022", label2022, 0},
	{"usascii", labelNone, 0},
	{"ascii", labelNone, 0},
	{"gb18030", "gb18030", 0},
	{"gb2312", "gb18030", 0},
	{"gbk", "gb18030", 0},
	{"big5", "big5", 0},
	{"ksc5601", "euc-kr", 0},
	{"shiftjis", "shift_jis", 0},
	{"koi8r", "koi8-r", 0},
	{"koi8", "koi8-u", 0},
}

// codePages has code pages of Microsoft and IBM that are known by other names.
var codePages = map[string]string{
	"932": "shift_jis", "936": "gb18030", "949": "euc-kr", "950": "big5",
	"28591": "windows-1252", "28592": "iso-8859-2", "28593": "iso-8859-3", "28594": "iso-8859-4",
	"28595": "iso-8859-5", "28596": "iso-8859-6", "28597": "iso-8859-7", "28598": "iso-8859-8",
	"28599": "iso-8859-9", "28605": "iso-8859-15", "38598": "iso-8859-8-i", "1200": "utf-16le", "1201": "utf-16be",
	"37": "ibm037", "037": "ibm037", "500": "ibm500", "1047": "ibm1047", "858": "ibm00858", "1140": "ibm1140", "01140": "ibm1140",
}

// labelFamily returns a name to search in place of an unknown label, by the beginning of the label.
// It returns "?" if it finds none. Its loops visit the bytes of the label and a table.
func labelFamily(name string) string {
	if rest, ok := strings.CutPrefix(name, "3d"); ok { // "=3D" that was not decoded
		return rest
	}
	squeezed := make([]byte, 0, maxLabel)
	for _, c := range []byte(name) {
		if (octet.IsLetter(c) || octet.IsDigit(c)) && len(squeezed) < maxLabel {
			squeezed = append(squeezed, c)
		}
	}
	name = strings.TrimPrefix(string(squeezed), "x")
	for _, f := range labelFamilies {
		number, ok := strings.CutPrefix(name, f.prefix)
		if !ok {
			continue
		}
		n := 0
		for n < min(f.digits, len(number)) && octet.IsDigit(number[n]) {
			n++
		}
		number = number[:n]
		if f.name == "iso-8859-" && number == "19" { // "1", and a year
			number = number[:1]
		}
		if page, ok := codePages[number]; ok {
			return page
		}
		return f.name + number
	}
	return "?"
}

// maxLabel is the longest label; longer ones are cut. The longest registered label has 45
// bytes.
const maxLabel = 64
