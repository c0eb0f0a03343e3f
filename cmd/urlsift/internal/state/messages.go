package state

import (
	"bytes"
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/extract"
)

// The identities of the messages of mailboxes: see extract.Place.Identities. A file has those of the messages in front of its
// place, in pieces, so that a mailbox that grows changes only the last one. They are read only if the mailbox was rewritten or renamed.

const (
	identityLen = 8
	perPiece    = 4096
)

// messagesKey returns the key of a piece of the identities of the file of that name.
func messagesKey(name string, piece int) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, xxhash.Sum64String(name)), uint64(piece))
}

// noteMessages adds the identities of p.
func (n *pending) noteMessages(p *extract.Place) {
	first, list := p.Identities()
	if first != n.first+len(n.fresh) { // reading has begun there
		n.fresh, n.first = nil, first
	}
	n.fresh = append(n.fresh, list...)
}

// putMessages saves the identities that are not saved yet. Each iteration writes a piece.
func (n *pending) putMessages(tx *bolt.Tx) error {
	bucket := tx.Bucket(messagesBucket)
	bucket.FillPercent = fillPercent
	for fresh, at := n.fresh, n.first; len(fresh) > 0; {
		key := messagesKey(n.name, at/perPiece)
		old, err := get(bucket, key)
		if err != nil {
			return err
		}
		from := at % perPiece
		some := fresh[:min(len(fresh), perPiece-from)]
		piece := make([]byte, from*identityLen, (from+len(some))*identityLen+sumLen) // what is lacking is 0, like no message
		copy(piece, old)
		for _, identity := range some {
			piece = binary.BigEndian.AppendUint64(piece, identity)
		}
		if err := put(bucket, key, piece); err != nil {
			return err
		}
		fresh, at = fresh[len(some):], at+len(some)
	}
	return nil
}

// eachPiece calls each for the pieces of the file of that name in order.
func eachPiece(tx *bolt.Tx, name string, each func(key, piece []byte) error) error {
	bucket := tx.Bucket(messagesBucket)
	if bucket == nil { // in a state of the version before
		return nil
	}
	c, prefix := bucket.Cursor(), messagesKey(name, 0)[:numberLen]
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		if err := each(k, v); err != nil {
			return err
		}
	}
	return nil
}

// messagesOf returns the identities of the messages in front of the place of r, or nil if none are known. Those that are not known are 0.
func (s *recogniser) messagesOf(r *entry) (list []uint64) {
	err := s.view(func(tx *bolt.Tx) error {
		return eachPiece(tx, r.name, func(key, piece []byte) error {
			piece, err := unseal(key, piece)
			at := int(binary.BigEndian.Uint64(key[numberLen:])) * perPiece
			if err != nil || at >= r.place.Messages {
				return err
			}
			if list == nil {
				list = make([]uint64, r.place.Messages)
			}
			for i := at; i < len(list) && len(piece) >= identityLen; i++ {
				list[i], piece = binary.BigEndian.Uint64(piece), piece[identityLen:]
			}
			return nil
		})
	})
	if err != nil {
		s.fail(s.damaged(err))
	}
	return list
}

// dropMessages removes the identities of the file of that name.
func dropMessages(tx *bolt.Tx, name string) error {
	var keys [][]byte
	err := eachPiece(tx, name, func(key, _ []byte) error {
		keys = append(keys, bytes.Clone(key))
		return nil
	})
	for _, k := range keys {
		if err == nil {
			err = tx.Bucket(messagesBucket).Delete(k)
		}
	}
	return err
}
