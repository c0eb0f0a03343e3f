package tally

import (
	"encoding/binary"
	"hash/maphash"
	"sync/atomic"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/extract"
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

// queueLength is how many batches a shard may be behind.
const queueLength = 4

// A batch has events that each shard reads.
type batch struct {
	bytes []byte
	users atomic.Int32 // shards that have not read it yet
}

// A shard counts the events whose hash is its own.
type shard struct {
	t       *Tally
	number  byte
	of      byte // how many shards there are
	counter *count.Counter
	queue   chan *batch
	done    chan struct{}

	source            uint64 // source of the last event, of any shard
	ordinal           int64
	counted, accepted bool  // as in the Tally
	timed             bool  // likewise
	failed            error // read after done, or by the shard itself
	stopped           atomic.Bool
}

// newShard returns shard i of n.
func newShard(t *Tally, i, n int) *shard {
	s := &shard{t: t, number: byte(i), of: byte(n), counter: count.New(count.Options{Memory: t.o.Memory / int64(n)})}
	if t.keyer == nil {
		s.queue, s.done = make(chan *batch, queueLength), make(chan struct{})
		go s.run()
	}
	return s
}

// Encoder returns the function that makes the events of one worker.
func (t *Tally) Encoder() extract.Encoder {
	k := newKeyer(t.o.By, t.redact)
	var source string
	var hash uint64
	return func(dst []byte, r *extract.Result) []byte {
		if hash == 0 || r.Origin.Source != source {
			source = r.Origin.Source
			hash = maphash.String(seed, source) | 1
		}
		_ = k.each(r, func(key []byte) error {
			dst = binary.AppendUvarint(dst, uint64(len(key)))
			dst = append(dst, key...)
			var flags byte
			if r.Valid {
				flags |= isValid
			}
			if k.at != count.NoTime {
				flags |= isTimed
			}
			dst = append(dst, flags, byte(maphash.Bytes(seed, key)))
			dst = binary.LittleEndian.AppendUint64(dst, hash)
			if flags&isTimed != 0 {
				dst = binary.AppendVarint(dst, k.at)
			}
			return nil
		})
		return dst
	}
}

// Events counts events, which may be changed afterwards. The error is that of a temporary
// file, and may be of earlier events.
func (t *Tally) Events(some []byte) error {
	var b *batch
	select {
	case b = <-t.free:
	default:
		b = new(batch)
	}
	b.bytes = append(b.bytes[:0], some...)
	b.users.Store(int32(len(t.shards)))
	for _, s := range t.shards {
		if s.stopped.Load() {
			return t.Finish()
		}
		s.queue <- b
	}
	return nil
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
			case s.t.free <- b:
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

// count counts the events in some that are its own. Each iteration takes one event.
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
