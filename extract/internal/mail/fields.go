package mail

import (
	"bytes"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode/header"
)

// The fields whose values are kept.
const (
	contentType = iota
	contentEncoding
	contentDisposition
	contentBase
	contentLocation
	contentLength
	messageID
	dateField
	newsgroups
	// These are kept only if [Reader.KeepSubjects] has enabled them.
	subject
	from
	to
	cc
	nFields

	firstOnRequest = subject
)

var fieldNames = [nFields]string{
	"content-type", "content-transfer-encoding", "content-disposition", "content-base", "content-location",
	"content-length", "message-id", "date", "newsgroups", "subject", "from", "to", "cc",
}

// firstLetters has the first letters of fieldNames.
var firstLetters = func() (set [256]bool) {
	for _, name := range fieldNames {
		set[name[0]] = true
	}
	return set
}()

// valueMax is how many bytes of the value of a field are kept.
const valueMax = 8 << 10

// A weight says how certainly the name of a field shows that a text is mail or news.
type weight uint8

const (
	unknown weight = iota
	weak           // occurs in mail and in other texts: two are needed
	chief          // weak, and one of the two must be of this kind
	strong         // occurs only in mail and news
)

// names has the known field names in lower case: RFC 822 and 5322, 1036 and
// 5536, 2045, 2110, 2369, 6376, 8617, and what programs have put into mail.
var names = func() map[string]weight {
	m := make(map[string]weight, 256) // room for all of them
	for w, list := range map[weight]string{
		chief: "from to subject date newsgroups",
		weak: `cc bcc sender reply-to organization organisation in-reply-to references comments keywords
			content-type content-disposition content-description content-id
			content-length content-language content-location content-base content-md5 lines distribution
			expires followup-to summary approved priority importance precedence sensitivity control
			via autocrypt openpgp
			resent-from resent-to resent-date resent-cc resent-sender resent-reply-to user-agent status
			archive-name posting-frequency last-modified supersedes encoding encrypted
			fcc replied forwarded message-type mail-followup-to return-receipt-to disposition-notification-to x-mailer
			x-newsreader x-url x-uri x-sender x-priority x-face`,
		strong: `return-path received recieved content-transfer-encoding delivered-to message-id path newsgroups xref mime-version x-uidl
			dkim-signature domainkey-signature relay-version posting-version article-i.d. date-received
			x-mozilla-status x-mozilla-status2 x-mozilla-keys envelope-to delivery-date original-recipient
			errors-to nntp-posting-host nntp-posting-date nntp-posting-user injection-info injection-date
			also-control see-also posted date-posted
			arc-seal arc-message-signature arc-authentication-results authentication-results received-spf
			resent-message-id list-id list-help list-post list-archive list-owner list-subscribe
			list-unsubscribe list-unsubscribe-post archived-at thread-topic thread-index
			x-received x-original-to x-envelope-from x-envelope-to x-from-line x-vm-v5-data
			x-gmail-labels x-gm-thrid x-gm-message-state x-google-dkim-signature x-google-smtp-source
			x-trace x-complaints-to x-gnus-mail-source x-originating-ip x-mimeole x-msmail-priority
			x-spam-status x-spam-level x-spam-checker-version x-spam-flag x-beenthere x-mailman-version
			x-sieve x-loop x-listprocessor-version x-status x-keywords x-uid x-imap x-imapbase
			x-authentication-warning x-mailing-list x-apparently-to x-account-key x-gateway summary-line
			apparently-to x-ms-has-attach x-ms-tnef-correlator x-originalarrivaltime auto-submitted
			delivered-by-the-graces-of full-name return-receipt-requested mailing-list x-no-archive
			x-virus-scanned x-yahoo-newman-property x-juno-line-breaks x-pmflags x-persona`,
	} {
		for _, name := range strings.Fields(list) {
			m[name] = max(m[name], w)
		}
	}
	m["newsgroups"] = strong
	return m
}()

// nameMax is how many bytes of the name of a field are examined, with the blanks before its
// colon.
const nameMax = 256

// weigh returns the weight of a field name.
func weigh(name []byte) weight {
	var low [40]byte // no known name is longer
	if len(name) > len(low) {
		return unknown
	}
	return names[string(lower(low[:0], name))]
}

// lower appends b to dst, with upper case letters of ASCII in lower case.
func lower(dst, b []byte) []byte {
	for _, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// fieldName returns the length of the field name at the beginning of v (RFC 5322, section
// 3.6.8; blanks before the colon by section 4.5), and the offset after its colon. If there is
// no name, colon is 0, and wait reports whether more bytes may complete one. It examines at
// most nameMax bytes. It accepts the same names as [header.Decoder].
func fieldName(v []byte) (n, colon int, wait bool) {
	i := 0
	for i < len(v) && i < nameMax && header.NameByte(v[i]) {
		i++
	}
	for ; i < len(v) && i < nameMax; i++ {
		switch c := v[i]; {
		case c == ':':
			if n == 0 {
				n = i
			}
			if header.IsScheme(v[:n]) {
				return 0, 0, false
			}
			return n, i + 1, false
		case c == ' ' || c == '\t':
			if i == 0 {
				return 0, 0, false
			}
			if n == 0 {
				n = i
			}
		case n > 0 || !header.NameByte(c):
			return 0, 0, false
		}
	}
	return 0, 0, len(v) < nameMax
}

// fieldNext reports whether v, after any ">From " lines, begins with a field. If known is set,
// the name must be known or have a '-'. whole says that no more bytes than v will come; then yes
// is also true if no line is left, unless known is set.
func fieldNext(v []byte, whole, known bool) (yes, wait bool) {
	for {
		quoted, may := begins(v, ">From ")
		if may && !whole {
			return false, true
		}
		if !quoted {
			break
		}
		_, n, full := cutLine(v)
		if !full && !whole {
			return false, true
		}
		v = v[n:]
	}
	if len(v) == 0 {
		return whole && !known, !whole
	}
	n, colon, more := fieldName(v)
	if colon == 0 {
		return false, more && !whole
	}
	if !known {
		return n > 0, false
	}
	name := v[:n]
	return weigh(name) != unknown || dashed(name), false
}

// dashed reports whether an unknown name looks like a mail field: X-Anything, or Any-Thing
// with a capital letter.
func dashed(name []byte) bool {
	if len(name) < 3 || !('A' <= name[0] && name[0] <= 'Z' || name[0] == 'x' && name[1] == '-') {
		return false
	}
	dash := false
	for _, c := range name {
		dash = dash || c == '-'
		if !alnum(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return dash
}

// fields collects values from a header while it is read, in pieces of any length: unfolded,
// without line ends and the white space before them (RFC 5322, section 2.2.3), cut at
// valueMax. If a field comes again, the first value is kept.
type fields struct {
	vals [nFields][]byte
	cur  int // the field whose value is being read, or -1
	n    int // number of fields read

	subjects bool // keep all fields, also those on request

	scan addressScan
	list []byte // buffer for addresses
}

// reset removes all values and keeps their memory.
func (h *fields) reset() {
	if h.n == 0 { // there are no values
		h.cur = -1
		return
	}
	for i := range h.vals {
		h.vals[i] = h.vals[i][:0]
	}
	h.cur, h.n = -1, 0
}

// begin starts a field with this name.
func (h *fields) begin(name []byte) {
	h.n++
	h.cur = -1
	names := fieldNames[:firstOnRequest]
	if h.subjects {
		names = fieldNames[:]
	}
	if !firstLetters[name[0]|0x20] { // most fields are distinguished by it
		return
	}
	for i, s := range names {
		if len(s) == len(name) && same(name, []byte(s)) {
			if len(h.vals[i]) == 0 {
				h.cur = i
			}
			return
		}
	}
}

// add appends a piece of the value.
func (h *fields) add(piece []byte) {
	if h.cur < 0 {
		return
	}
	v := h.vals[h.cur]
	for _, c := range piece {
		if c == '\r' || c == '\n' || len(v) == 0 && (c == ' ' || c == '\t') {
			continue
		}
		if len(v) == valueMax {
			break
		}
		v = append(v, c)
	}
	h.vals[h.cur] = v
}

// addresses returns the addresses in the values of some fields, separated by blanks. They are valid until the
// next call.
func (h *fields) addresses(of ...int) []byte {
	h.list = h.list[:0]
	for _, i := range of {
		if v := h.get(i); len(v) > 0 {
			h.list = h.scan.addresses(h.list, v)
		}
	}
	return h.list
}

// get returns a value without surrounding white space. It is valid until the next reset.
func (h *fields) get(i int) []byte {
	if len(h.vals[i]) == 0 { // the usual case
		return nil
	}
	return bytes.TrimSpace(h.vals[i])
}
