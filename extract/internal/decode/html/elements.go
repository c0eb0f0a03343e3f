package html

import (
	"encoding/binary"
	"sync"
)

// What depends on the name of an element or an attribute is in the two tables of this file. The
// exceptions are namespaces (isNamespace) and references in angle brackets (wrapsReference).

// A tagInfo says what a tag does to the text around it and in it.
type tagInfo struct {
	name string

	// part replaces the tag: a line break where a page breaks the line, the separator of cells
	// (US) around those of a table, a space elsewhere, and nothing (0) for tags that only change
	// how the letters of a word look.
	part byte

	inside state // state after the start tag
}

var unknownTag = tagInfo{part: ' '}

// htmlTables are the tables of elements and attributes.
type htmlTables struct {
	tags  *nameTable[*tagInfo]
	attrs *nameTable[*attrInfo]
}

// htmlNames returns the tables. They are made when the first page is read, since most runs read
// no page.
var htmlNames = sync.OnceValue(func() htmlTables {
	return htmlTables{newNames(makeTags()), newNames(makeAttrs())}
})

// makeTags returns every element that is treated differently from an unknown one, or whose
// attributes hold references.
func makeTags() map[string]*tagInfo {
	m := make(map[string]*tagInfo)
	set := func(part byte, names ...string) {
		for _, n := range names {
			m[n] = &tagInfo{name: n, part: part}
		}
	}
	// A reader of the page sees one word: http://a/<b>x</b> is http://a/x, and
	// <wbr> is made for long references. An element that is often set apart by
	// style (span), struck out (del, s), or raised (sup) is not among these.
	set(0, "wbr", "nobr", "b", "i", "u", "em", "strong", "font", "big", "small",
		"mark", "blink", "bdi", "bdo")
	set('\n', "address", "article", "aside", "base", "basefont", "blockquote",
		"body", "br", "caption", "center", "col", "dd", "details", "dialog",
		"dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
		"form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head",
		"header", "hgroup", "hr", "html", "isindex", "legend", "li", "link",
		"listing", "main", "menu", "menuitem", "meta", "nav", "noframes", "noscript",
		"ol", "optgroup", "option", "p", "param", "plaintext", "pre", "script",
		"search", "section", "select", "style", "summary", "table", "tbody",
		"textarea", "tfoot", "thead", "title", "tr", "ul", "xmp")
	set(0x1F, "td", "th")
	set(' ', "a", "applet", "area", "audio", "bgsound", "button", "command",
		"del", "embed", "iframe", "image", "img", "input", "ins", "layer",
		"object", "q", "source", "span", "svg", "track", "use", "video")
	// What HTML 13.1.2 calls raw text and escapable raw text. The content of noscript,
	// noframes, iframe and noembed is read, since it is meant for programs that, like this one,
	// run no scripts and show no frames.
	for n, inside := range map[string]state{
		"title": inRCData, "textarea": inRCData,
		"script": inRaw, "style": inRaw, "xmp": inRaw,
		"plaintext": inRest,
	} {
		m[n].inside = inside
	}
	return m
}

// An attrContent says what the value of an attribute holds.
type attrContent uint8

const (
	words    attrContent = iota // text
	nothings                    // never a reference: not examined
	oneRef                      // one reference
	list                        // references with white space between
	commas                      // references with commas between
	srcset                      // references with descriptors and commas
	styles                      // url(...) among others
	refresh                     // maybe "5; url=..."
)

// An attrInfo is what is known of an attribute by its name.
type attrInfo struct {
	name string
	kind attrContent
	only string // if not "", the attribute is known only in this element

	// request says that browsers always request the target of the attribute. So its empty value
	// refers to the base (1997, section 3; 2002, section 4.2).
	request bool
}

// xmlBase is the attribute that declares the base of its element (XML Base, section 3).
const xmlBase = "xml:base"

// makeAttrs returns the attributes whose values are not text. Any other value is read as
// text, so no absolute reference is lost in an attribute with an unknown name.
func makeAttrs() map[string]*attrInfo {
	m := make(map[string]*attrInfo)
	set := func(k attrContent, names ...string) {
		for _, n := range names {
			m[n] = &attrInfo{name: n, kind: k}
		}
	}
	// From the indexes of attributes of HTML 4.01 and 5, with what browsers of that time added.
	set(oneRef, "href", "src", "action", "background", "cite", "classid",
		"codebase", "data", "dynsrc", "formaction", "icon", "longdesc",
		"lowsrc", "manifest", "pluginspage", "poster", "profile", "usemap",
		"xlink:href", xmlBase)
	set(list, "ping")
	set(commas, "archive")
	set(srcset, "srcset", "imagesrcset")
	set(styles, "style")
	set(refresh, "content")
	for _, n := range []string{"action", "formaction", "src", "background", "data", "dynsrc", "icon", "lowsrc", "poster"} {
		m[n].request = true
	}
	m["data"].only = "object"
	m["icon"].only = "menuitem"
	m["content"].only = "meta"
	// These are named for speed: no reference is ever in them. Without their names, pages of
	// documentation (rustdoc) take 1.05 times the processor time.
	set(nothings, "align", "alink", "async", "bgcolor", "border", "bordercolor",
		"cellpadding", "cellspacing", "charset", "checked", "class", "clear",
		"color", "cols", "colspan", "compact", "coords", "crossorigin", "defer",
		"dir", "disabled", "enctype", "face", "for", "frameborder", "headers",
		"height", "hreflang", "hspace", "http-equiv", "id", "integrity",
		"lang", "language", "link", "loading", "marginheight", "marginwidth",
		"maxlength", "media", "method", "multiple", "name", "nohref",
		"noshade", "nowrap", "rel", "rev", "role", "rows", "rowspan", "scope",
		"scrolling", "selected", "shape", "size", "sizes", "start", "tabindex",
		"target", "type", "valign", "vlink", "vspace", "width", "xml:lang")
	return m
}

// A nameTable finds an element or an attribute by its name. There are a few hundred names,
// all known beforehand, and a page has one every few dozen bytes. The first eight bytes of a name are
// compared as one number. With maps of Go in its place, pages with many tags take 1.06 times
// the instructions. The table is not changed after it is made.
type nameTable[T any] struct {
	slots [nameSlots]nameSlot[T]
}

// nameSlots is a power of two, and more than twice the number of names in any table.
const (
	nameSlots = 1 << nameBits
	nameBits  = 9
)

type nameSlot[T any] struct {
	first uint64 // the first eight bytes of the name; 0 if the slot is free
	len   int
	rest  string // the other bytes
	val   T
}

// newNames makes a table of all. No name in all is empty.
func newNames[T any](all map[string]T) *nameTable[T] {
	if 2*len(all) > nameSlots {
		panic("decode: too many names for a table")
	}
	t := new(nameTable[T])
	for name, val := range all {
		var b [nameCap]byte
		n := copy(b[:], name)
		first := firstEight(&b, n)
		i := nameHash(first, n)
		for t.slots[i].first != 0 {
			i = (i + 1) % nameSlots
		}
		t.slots[i] = nameSlot[T]{first, n, name[min(n, 8):], val}
	}
	return t
}

// firstEight returns the first eight bytes of a name of n bytes as a number, of a shorter name all.
func firstEight(name *[nameCap]byte, n int) uint64 {
	return binary.LittleEndian.Uint64(name[:]) & (1<<(8*uint(n)) - 1) // a shift of 64 or more gives 0
}

// nameHash returns the first slot for a name.
func nameHash(first uint64, n int) uint {
	return uint((first + uint64(n)) * 0x9E3779B97F4A7C15 >> (64 - nameBits))
}

// get returns the value of the name of n bytes, or the zero T. If n is more than nameCap, there is none.
func (t *nameTable[T]) get(name *[nameCap]byte, n int) (val T) {
	first := firstEight(name, n)
	if n <= 8 {
		return t.short(first, n)
	}
	if n > nameCap {
		return val
	}
	for i := nameHash(first, n); t.slots[i].first != 0; i = (i + 1) % nameSlots {
		if s := &t.slots[i]; s.first == first && s.rest == string(name[8:n]) {
			return s.val
		}
	}
	return val
}

// short is get for a name of at most eight bytes, which first holds. At least half of the slots are free, so
// the loop has few iterations: at most the longest row of used slots, which does not depend on the input.
func (t *nameTable[T]) short(first uint64, n int) (val T) {
	for i := nameHash(first, n); t.slots[i].first != 0; i = (i + 1) % nameSlots {
		if s := &t.slots[i]; s.first == first && s.len == n {
			return s.val
		}
	}
	return val
}
