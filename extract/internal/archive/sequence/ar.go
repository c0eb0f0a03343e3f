package sequence

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// ar has three dialects, which differ in how they write a name of more than 16 bytes. GNU and System V have
// it in a table, the member "//", and in the header its offset there. BSD has it in front of the data. A
// package of Debian (.deb) is an ar archive (deb(5)) of archives.
//
//	"!<arch>\n" (name 16, time 12, user 6, group 6, mode 8, size 10, "`\n", data, "\n" if the size is odd)*

// StageAr is the stage of damage in an ar archive.
const StageAr damage.Stage = "ar"

// ArMagic is the beginning of an ar archive.
const ArMagic = "!<arch>\n"

// NewAr returns a Reader of ar archives. They begin with [ArMagic].
func NewAr() *Reader {
	const mark = "`\n"
	return &Reader{layout: layout{stage: StageAr, magic: len(ArMagic), mark: mark, at: arHead - len(mark), most: arHead, parse: parseAr, enter: (*Reader).enterAr}}
}

const (
	arHead  = 60
	arTable = 256 << 10 // bytes of the table of names that are kept
)

// parseAr parses a header: a name, and numbers filled up with blanks. Linkers of Microsoft write a time
// of -1, and no user and group.
func parseAr(b []byte) (m member, size int) {
	if len(b) < arHead || string(b[58:60]) != "`\n" || b[0] == ' ' || bytes.IndexFunc(b[:16], isControl) >= 0 || len(bytes.Trim(b[16:48], " -0123456789")) > 0 {
		return m, 0
	}
	n, err := strconv.ParseUint(string(bytes.TrimRight(b[48:58], " ")), 10, 63)
	if err != nil {
		return m, 0
	}
	return member{name: string(bytes.TrimRight(b[:16], " ")), file: true, left: int64(n), pad: int64(n & 1)}, arHead
}

func isControl(c rune) bool { return c < ' ' || c == 0x7f }

// enterAr finds the whole name of the member. Tables of names and symbols are no files.
func (r *Reader) enterAr() (err error) {
	switch length, bsd := strings.CutPrefix(r.name, "#1/"); {
	case r.name == "//":
		r.file = false
		r.table, err = r.take(r.table, r.left, arTable)
		r.left = 0
	case r.name == "/", r.name == "/SYM64/", strings.HasPrefix(r.name, "/<"): // symbols; those of Microsoft
		r.file = false
	case bsd:
		n, err := strconv.ParseUint(length, 10, 31)
		if err != nil || int64(n) > r.left {
			break
		}
		if r.text, err = r.take(r.text, int64(n), maxName); err != nil {
			return err
		}
		r.left -= int64(n)
		r.name = string(untilNUL(r.text))
	case r.name[0] == '/':
		if at, err := strconv.Atoi(r.name[1:]); err == nil && 0 <= at && at < len(r.table) {
			name, _, _ := bytes.Cut(untilNUL(r.table[at:]), []byte("\n"))
			r.name = string(bytes.TrimSuffix(name, []byte("/")))
		}
	default:
		r.name = strings.TrimSuffix(r.name, "/")
	}
	if strings.HasPrefix(r.name, "__.SYMDEF") { // of BSD
		r.file = false
	}
	return err
}
