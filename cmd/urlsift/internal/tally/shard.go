package tally

import (
	"encoding/binary"
	"hash/maphash"
	"sync/atomic"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
)

// An event in bytes:
//
//	the length of the key as a varint, and the key
//	a byte of flags, and a byte of the key's hash, which chooses the shard
//	eight bytes of a hash of the source's name
//	the time as a varint, if flags say so
//
// A hash of the source is enough, because it is only compared with the hash before it.
const (
	isValid = 1 << iota // the grammar accepts the result
	isTimed
)

var seed = maphash.MakeSeed()

// hashOfSource returns the hash of a source's name in its events. It is not 0.
func hashOfSource(name string) uint64 { return maphash.String(seed, name) | 1 }

// appendEvent appends the event of a result. at is its time, or count.NoTime.
func appendEvent(dst, key []byte, source uint64, valid bool, at int64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(key)))
	dst = append(dst, key...)
	var flags byte
	if valid {
		flags |= isValid
	}
	if at != count.NoTime {
		flags |= isTimed
	}
	dst = append(dst, flags, byte(maphash.Bytes(seed, key)))
	dst = binary.LittleEndian.AppendUint64(dst, source)
	if flags&isTimed != 0 {
		dst = binary.AppendVarint(dst, at)
	}
	return dst
}

// queueLength is how many batches a shard may be behind.
const queueLength = 4

// An eventBatch has events that each shard reads.
type eventBatch struct {
	bytes []byte
	users atomic.Int32 // shards that have not read it yet
}

// A shard counts the events whose hash is its own.
type shard struct {
	number  byte
	of      byte // how many shards there are
	counter *count.Counter
	queue   chan *eventBatch   // nil if results come to Tally.Take
	done    chan struct{}      // closed when the queue was read
	free    chan<- *eventBatch // of the Tally

	source            uint64 // source of the last event, of any shard
	ordinal           int64
	counted, accepted bool  // as in the Tally
	timed             bool  // likewise
	failed            error // read after done, or by the shard itself
	stopped           atomic.Bool
}

// newShard returns shard i of n, with memory for its sums. If free is not nil, the shard reads
// batches, and sends those that no shard uses any more to free.
func newShard(i, n int, memory int64, free chan<- *eventBatch) *shard {
	s := &shard{number: byte(i), of: byte(n), counter: count.New(count.Options{Memory: memory})}
	if free != nil {
		s.queue, s.done, s.free = make(chan *eventBatch, queueLength), make(chan struct{}), free
		go s.run()
	}
	return s
}

// run counts the events in the queue until it is closed.
func (s *shard) run() {
	defer close(s.done)
	for b := range s.queue { // until end closes it
		if s.failed == nil {
			if s.failed = s.count(b.bytes); s.failed != nil {
				s.stopped.Store(true)
			}
		}
		if b.users.Add(-1) == 0 {
			select {
			case s.free <- b:
			default:
			}
		}
	}
}

// end waits until all is counted.
func (s *shard) end() {
	if s.queue != nil {
		close(s.queue)
		<-s.done
	}
}

// count counts the events in some that are its own.
func (s *shard) count(some []byte) error {
	for len(some) > 0 {
		length, n := binary.Uvarint(some)
		key, rest := some[n:][:length], some[n:][length:]
		flags, hash := rest[0], rest[1]
		source := binary.LittleEndian.Uint64(rest[2:])
		at := int64(count.NoTime)
		if rest = rest[10:]; flags&isTimed != 0 {
			at, n = binary.Varint(rest)
			rest = rest[n:]
		}
		some = rest
		if source != s.source {
			s.source = source
			s.ordinal++
		}
		if hash%s.of != s.number {
			continue
		}
		s.counted, s.accepted, s.timed = true, s.accepted || flags&isValid != 0, s.timed || flags&isTimed != 0
		if err := s.counter.Add(key, s.ordinal, at); err != nil {
			return err
		}
	}
	return nil
}
