package count

import (
	"bytes"
)

// A rowStream yields rows in the order of their keys. No two rows have the same key. At the end
// next returns nil. A row is valid until the next call of next.
type rowStream interface{ next() (*Row, error) }

// A merger merges several streams into one. Each has later events than the streams in front of it.
// Rows with the same key are added up. The streams are in a heap, by their next keys.
type merger struct {
	heap []mergeInput
	left []rowStream // not read yet
	out  Row
}

// A mergeInput is a stream, with the row that it returned last.
type mergeInput struct {
	row *Row
	s   rowStream
	age int // its position among the streams
}

// before reports whether the row of a comes before that of b.
func (a *mergeInput) before(b *mergeInput) bool {
	c := bytes.Compare(a.row.Key, b.row.Key)
	return c < 0 || c == 0 && a.age < b.age
}

// merge returns one stream of the rows of streams.
func merge(streams []rowStream) rowStream {
	if len(streams) == 1 {
		return streams[0]
	}
	return &merger{left: streams}
}

// start reads the first row of each stream.
func (m *merger) start() error {
	for age, s := range m.left {
		row, err := s.next()
		if err != nil {
			return err
		}
		if row == nil {
			continue
		}
		m.heap = append(m.heap, mergeInput{row, s, age})
		for i := len(m.heap) - 1; i > 0 && m.heap[i].before(&m.heap[(i-1)/2]); i = (i - 1) / 2 {
			m.heap[i], m.heap[(i-1)/2] = m.heap[(i-1)/2], m.heap[i]
		}
	}
	m.left = nil
	return nil
}

// next returns the sum of all rows with the smallest key. Each stream has at most one.
func (m *merger) next() (*Row, error) {
	if m.left != nil {
		if err := m.start(); err != nil {
			return nil, err
		}
	}
	if len(m.heap) == 0 {
		return nil, nil
	}
	m.out.Key = append(m.out.Key[:0], m.heap[0].row.Key...)
	m.out.Sum = m.heap[0].row.Sum
	for {
		if err := m.advance(); err != nil {
			return nil, err
		}
		if len(m.heap) == 0 || !bytes.Equal(m.heap[0].row.Key, m.out.Key) {
			return &m.out, nil
		}
		m.out.add(&m.heap[0].row.Sum)
	}
}

// advance reads the next row of the first stream of the heap.
func (m *merger) advance() (err error) {
	h := m.heap
	if h[0].row, err = h[0].s.next(); err != nil {
		return err
	}
	if h[0].row == nil {
		h[0] = h[len(h)-1]
		h = h[:len(h)-1]
		m.heap = h
	}
	for i := 0; ; {
		first := 2*i + 1
		if first >= len(h) {
			return nil
		}
		if first+1 < len(h) && h[first+1].before(&h[first]) {
			first++
		}
		if !h[first].before(&h[i]) {
			return nil
		}
		h[i], h[first] = h[first], h[i]
		i = first
	}
}

// A tableStream is the stream of a table that is sorted.
type tableStream struct {
	t     *sumTable
	items []sortItem
	row   Row
}

// next returns the next row of the table.
func (s *tableStream) next() (*Row, error) {
	if len(s.items) == 0 {
		return nil, nil
	}
	e := s.t.entry(s.items[0].at)
	s.items = s.items[1:]
	s.row.Key, s.row.Sum = s.t.key(e), e.sum
	return &s.row, nil
}
