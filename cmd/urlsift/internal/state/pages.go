package state

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
	"strings"
)

// All pages of a database are checked when it is opened. bbolt believes what its pages say: it
// follows an offset out of the page, and a page that is its own child for ever. The check reads
// each page once, without recursion, and compares everything with how bbolt writes pages:
//
//   - Both meta pages have their checksums. A machine that stops leaves the old or the new one,
//     because the data of a meta page is in one sector.
//   - A page has the number and the kind that are expected. Each page is used once, as a page of a
//     tree or as one that it overflows into, or it is in the list of free pages.
//   - The keys and values of a page follow one another without gaps, and fill the pages of its
//     overflow. Keys ascend, and are in the range that the page above says.
//   - A value has its checksum, which depends on its key too: see put.
//
// So a single bit that is wrong is found here, or it changes nothing: it is in no page in use, or in a
// sequence that is larger than needed, or in a key of a branch that still divides the keys below.

// The layout of pages. Numbers have the byte order of the machine.
const (
	pageHeaderLen = 16 // number 8, kind 2, count of elements 2, overflow 4
	elementLen    = 16 // branch: offset 4, length of key 4, page 8; leaf: flags 4, offset 4, length of key 4, of value 4
	bucketLen     = 16 // of a value that is a bucket: page of its root 8, or 0 if the page follows; sequence 8

	branchPage, leafPage, metaPage, freePage = 1, 2, 4, 16 // kinds of pages

	// A meta page has, after the header: mark 4, version 4, page size 4, flags 4, root bucket 16,
	// page of the free list 8, number of pages 8, number of the transaction 8, checksum 8.
	metaMark    = 0xED0CDAED
	metaVersion = 2
	metaSumAt   = 56
	metaLen     = metaSumAt + 8

	smallestPage, largestPage = 1 << 10, 1 << 24

	isBucket = 1 // flag of a leaf

	manyFree = 0xFFFF // as count of free pages: the first number is the count
)

// A metaData is what a meta page says.
type metaData struct {
	pageSize                      int64
	root, free, pages, transacted uint64
}

// metaOf returns what the meta page with that number says, if its header and checksum are right. It
// begins with b.
func metaOf(b []byte, page uint64) (m metaData, ok bool) {
	if len(b) < pageHeaderLen+metaLen || binary.NativeEndian.Uint64(b) != page ||
		binary.NativeEndian.Uint16(b[8:]) != metaPage || binary.NativeEndian.Uint16(b[10:]) != 0 || binary.NativeEndian.Uint32(b[12:]) != 0 {
		return m, false
	}
	b = b[pageHeaderLen:]
	word := func(at int) uint64 { return binary.NativeEndian.Uint64(b[at:]) }
	half := func(at int) uint32 { return binary.NativeEndian.Uint32(b[at:]) }
	sum := fnv.New64a()
	sum.Write(b[:metaSumAt])
	m = metaData{int64(half(8)), word(16), word(32), word(40), word(48)}
	return m, half(0) == metaMark && half(4) == metaVersion && word(metaSumAt) == sum.Sum64() &&
		m.pageSize >= smallestPage && m.pageSize <= largestPage && m.pageSize&(m.pageSize-1) == 0
}

// readMeta returns what the newer of the two meta pages says.
func readMeta(f io.ReaderAt) (m metaData, err error) {
	var b [pageHeaderLen + metaLen]byte
	read := func(at int64, page uint64) (metaData, bool) {
		n, _ := f.ReadAt(b[:], at) // a shorter file has no meta page there
		return metaOf(b[:n], page)
	}
	first, ok := read(0, 0)
	if !ok {
		return m, errPages
	}
	second, ok := read(first.pageSize, 1)
	if !ok || second.pageSize != first.pageSize {
		return m, errPages
	}
	if second.transacted > first.transacted {
		return second, nil
	}
	return first, nil
}

// checkPages returns an error if the database in f, which has that size, is not a state, or not as
// it was written.
func checkPages(f io.ReaderAt, size int64) error {
	m, err := readMeta(f)
	if err != nil {
		return err
	}
	if m.pages > uint64(size/m.pageSize) {
		if m.pages > 1<<40 {
			return errPages
		}
		return fmt.Errorf("%d of %d bytes are there", size, int64(m.pages)*m.pageSize)
	}
	c := &checker{f: f, size: size, metaData: m, used: make([]uint64, m.pages/64+1)}
	list, err := c.bucketsOf(m.root)
	if err != nil {
		return err
	}
	if err := c.version(list); err != nil {
		return err
	}
	for _, name := range buckets {
		b, ok := list[string(name)]
		switch {
		case !ok && c.older && bytes.Equal(name, messagesBucket):
			continue
		case !ok:
			return errPages
		case b.name == string(metaBucket): // version has checked it
			continue
		}
		if err := c.bucket(b, sealed(b)); err != nil {
			return err
		}
	}
	if err := c.freeList(); err != nil {
		return err
	}
	return c.noneLost()
}

// A checker checks the pages of a database.
type checker struct {
	f    io.ReaderAt
	size int64 // of the file
	metaData

	older bool // the version before has made it

	used []uint64 // a bit for each page: it is in use, or free

	window []byte // bytes of the file
	at     int64  // where they begin

	elements []element // of the current page
	before   []byte    // the key in front of the current one
}

// bytes returns the n bytes of the file at that place. They are valid until the next call.
func (c *checker) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || n > c.size || at > c.size-n {
		return nil, errPages
	}
	if at < c.at || at+n > c.at+int64(len(c.window)) {
		long := max(n, c.pageSize)
		if at == c.at+int64(len(c.window)) {
			long = max(long, readAhead) // the pages follow one another
		}
		long = min(long, c.size-at)
		if int64(cap(c.window)) < long {
			c.window = make([]byte, long)
		}
		c.window, c.at = c.window[:long], at
		if _, err := c.f.ReadAt(c.window, at); err != nil {
			c.window = c.window[:0]
			return nil, err
		}
	}
	return c.window[at-c.at:][:n], nil
}

// readAhead is how much is read at once of pages that follow one another.
const readAhead = 64 << 10

// use notes that a page and those that it overflows into are used. It is an error if one of them
// is used already, or is not there.
func (c *checker) use(page, overflow uint64) error {
	if page < 2 || page >= c.pages || overflow >= c.pages-page {
		return errPages
	}
	for i := page; i <= page+overflow; i++ {
		if c.used[i/64]>>(i%64)&1 != 0 {
			return errPages
		}
		c.used[i/64] |= 1 << (i % 64)
	}
	return nil
}

// noneLost returns an error if a page is neither in use nor free: something that led to it does not
// lead there any more.
func (c *checker) noneLost() error {
	n := uint64(2) // the meta pages
	for _, some := range c.used {
		n += uint64(bits.OnesCount64(some))
	}
	if n != c.pages {
		return errPages
	}
	return nil
}

// A pageHead is the header of a page.
type pageHead struct {
	kind     uint16
	count    int
	at       int64 // where the page begins in the file
	end      int64 // where it ends, with its overflow
	overflow uint64
}

// head returns the header of a page, and notes that the page is used.
func (c *checker) head(page uint64) (h pageHead, err error) {
	if page >= c.pages {
		return h, errPages
	}
	h.at = int64(page) * c.pageSize
	b, err := c.bytes(h.at, c.pageSize)
	if err != nil {
		return h, err
	}
	if binary.NativeEndian.Uint64(b) != page {
		return h, errPages
	}
	h.kind, h.count = binary.NativeEndian.Uint16(b[8:]), int(binary.NativeEndian.Uint16(b[10:]))
	h.overflow = uint64(binary.NativeEndian.Uint32(b[12:]))
	h.end = h.at + (int64(h.overflow)+1)*c.pageSize
	return h, c.use(page, h.overflow)
}

// freeList checks the list of free pages.
func (c *checker) freeList() error {
	h, err := c.head(c.free)
	if err != nil {
		return err
	}
	if h.kind != freePage {
		return errPages
	}
	at, n := h.at+pageHeaderLen, int64(h.count)
	if n == manyFree {
		b, err := c.bytes(at, 8)
		if err != nil {
			return err
		}
		at += 8
		n = int64(min(binary.NativeEndian.Uint64(b), c.pages))
	}
	if at+8*n > h.end {
		return errPages
	}
	last := uint64(0)
	for ; n > 0; n-- { // a free page in each iteration; there are at most as many as pages
		b, err := c.bytes(at, 8)
		if err != nil {
			return err
		}
		at += 8
		page := binary.NativeEndian.Uint64(b)
		if page <= last {
			return errPages
		}
		if err := c.use(page, 0); err != nil {
			return err
		}
		last = page
	}
	return nil
}

// An element is a key of a page, and its value or the page below it.
type element struct {
	flags uint32 // isBucket or 0
	at    int64  // where the key begins in the file; the value follows
	key   int64  // length
	value int64  // length
	below uint64
}

// A branch is a page that is to be read, and the range of its keys: from low up to high, which
// does not belong to it. Without high there is no end.
type branch struct {
	page      uint64
	low, high []byte
}

// tree checks the pages of the tree with that root, and calls leaf for each key. Each iteration
// visits a page, and no page is visited twice.
func (c *checker) tree(root uint64, leaf leafFunc) (err error) {
	for open := []branch{{page: root}}; len(open) > 0; {
		b := open[len(open)-1]
		if open, err = c.visit(open[:len(open)-1], b, leaf); err != nil {
			return err
		}
	}
	return nil
}

// visit checks the page of b, and appends the pages below it to open, so that the first one of them
// is the last one in open.
func (c *checker) visit(open []branch, b branch, leaf leafFunc) ([]branch, error) {
	h, err := c.head(b.page)
	if err != nil {
		return nil, err
	}
	if h.kind != branchPage && h.kind != leafPage || h.count == 0 && !c.isEmpty(h) {
		return nil, errPages
	}
	end, err := c.page(h, b.low, b.high, leaf)
	if err != nil {
		return nil, err
	}
	if uint64((end-h.at-1)/c.pageSize) != h.overflow {
		return nil, errPages
	}
	if h.kind == leafPage {
		return open, nil
	}
	high := b.high
	for i := len(c.elements) - 1; i >= 0; i-- {
		e := &c.elements[i]
		low, err := c.bytes(e.at, e.key)
		if err != nil {
			return nil, err
		}
		low = bytes.Clone(low)
		open = append(open, branch{e.below, low, high})
		high = low
	}
	return open, nil
}

// isEmpty reports whether h is the page of a tree without keys, and not one whose count is wrong.
func (c *checker) isEmpty(h pageHead) bool {
	b, err := c.bytes(h.at+pageHeaderLen, c.pageSize-pageHeaderLen)
	return err == nil && h.kind == leafPage && len(bytes.Trim(b, "\x00")) == 0
}

// A leafFunc is called for a key and its value. They are valid until it returns.
type leafFunc func(key, value []byte, e *element) error

// page checks the elements of the page h, and returns where they end in the file. Keys have to be
// in the range from low to high.
func (c *checker) page(h pageHead, low, high []byte, leaf leafFunc) (end int64, err error) {
	isLeaf := h.kind == leafPage
	if err := c.readElements(h, isLeaf); err != nil {
		return 0, err
	}
	end = h.at + pageHeaderLen + elementLen*int64(h.count)
	for i := range c.elements {
		e := &c.elements[i]
		if e.at != end || e.key == 0 || e.key+e.value > h.end-end {
			return 0, errPages
		}
		end += e.key + e.value
		b, err := c.bytes(e.at, e.key+e.value)
		if err != nil {
			return 0, err
		}
		key := b[:e.key]
		if i > 0 && bytes.Compare(c.before, key) >= 0 || i == 0 && bytes.Compare(key, low) < 0 || high != nil && bytes.Compare(key, high) >= 0 {
			return 0, errPages
		}
		c.before = append(c.before[:0], key...)
		if isLeaf {
			if err := leaf(key, b[e.key:], e); err != nil {
				return 0, err
			}
		}
	}
	return end, nil
}

// readElements sets c.elements to those of the page h, which are at most 65,535.
func (c *checker) readElements(h pageHead, isLeaf bool) error {
	c.elements = c.elements[:0]
	at, n := h.at+pageHeaderLen, elementLen*int64(h.count)
	if n > h.end-at {
		return errPages
	}
	b, err := c.bytes(at, n)
	for ; err == nil && len(b) > 0; b, at = b[elementLen:], at+elementLen {
		half := func(i int) int64 { return int64(binary.NativeEndian.Uint32(b[4*i:])) }
		e := element{at: at + half(0), key: half(1), below: binary.NativeEndian.Uint64(b[8:])}
		if isLeaf {
			e = element{flags: uint32(half(0)), at: at + half(1), key: half(2), value: half(3)}
		}
		if e.below >= c.pages || e.flags > isBucket {
			return errPages
		}
		c.elements = append(c.elements, e)
	}
	return err
}

// A bucketHead is what the database has about a bucket.
type bucketHead struct {
	name     string
	root     uint64 // 0 if its only page is in the value of the bucket
	sequence uint64
	at, end  int64 // that page
}

// bucketsOf returns the buckets of the database by name.
func (c *checker) bucketsOf(root uint64) (map[string]bucketHead, error) {
	list := map[string]bucketHead{}
	err := c.tree(root, func(key, value []byte, e *element) error {
		if e.flags != isBucket || len(value) < bucketLen {
			return errPages
		}
		if len(list) > 2*len(buckets) {
			return errForeign
		}
		list[string(key)] = bucketHead{string(key), binary.NativeEndian.Uint64(value), binary.NativeEndian.Uint64(value[8:]), e.at + e.key + bucketLen, e.at + e.key + e.value}
		return nil
	})
	return list, err
}

// bucket checks the pages of a bucket.
func (c *checker) bucket(b bucketHead, leaf leafFunc) error {
	if b.root != 0 {
		if b.end != b.at {
			return errPages
		}
		return c.tree(b.root, leaf)
	}
	p, err := c.bytes(b.at, b.end-b.at)
	if err != nil || len(p) < pageHeaderLen {
		return errPages
	}
	h := pageHead{kind: binary.NativeEndian.Uint16(p[8:]), count: int(binary.NativeEndian.Uint16(p[10:])), at: b.at, end: b.end}
	if binary.NativeEndian.Uint64(p) != 0 || h.kind != leafPage || binary.NativeEndian.Uint32(p[12:]) != 0 {
		return errPages
	}
	end, err := c.page(h, nil, nil, leaf)
	if err == nil && end != b.end {
		err = errPages
	}
	return err
}

// sealed returns a leafFunc that compares the checksums of a bucket.
func sealed(b bucketHead) leafFunc {
	numbered := b.name == string(formerBucket) || b.name == string(batchesBucket)
	return func(key, value []byte, e *element) error {
		if e.flags == isBucket {
			return errPages
		}
		if numbered && (len(key) < 8 || binary.BigEndian.Uint64(key[len(key)-8:]) > b.sequence) {
			return errPages
		}
		if b.name == string(messagesBucket) && len(key) != 2*numberLen {
			return errPages
		}
		_, err := unseal(key, value)
		return err
	}
}

// version checks the bucket meta, and returns an error if the database is not a state, or one of
// another version.
func (c *checker) version(list map[string]bucketHead) error {
	n := 0
	for _, name := range buckets {
		if _, ok := list[string(name)]; ok {
			n++
		}
	}
	found, damage := errForeign, error(nil)
	if n > len(buckets)/2 {
		found = errPages // the name of a bucket, or the key of the version, is damaged
	}
	meta, ok := list[string(metaBucket)]
	if !ok {
		return found
	}
	err := c.bucket(meta, func(key, value []byte, e *element) error {
		v, err := unseal(key, value)
		if err == nil && e.flags == isBucket {
			err = errPages
		}
		if err != nil {
			damage = err
		}
		switch {
		case !bytes.Equal(key, versionKey):
		case err == nil && (string(v) == version || string(v) == versionBefore):
			found, c.older = nil, string(v) == versionBefore
		case len(value) <= len(version)+1 && strings.HasPrefix(string(value), versionPrefix): // up to version 4, without a checksum
			found = otherVersion(value)
		case err == nil && strings.HasPrefix(string(v), versionPrefix):
			found = otherVersion(v)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case found != nil:
		return found
	}
	return damage
}
