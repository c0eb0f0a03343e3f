package state

import (
	"bytes"
	"encoding/binary"

	bolt "go.etcd.io/bbolt"
)

// The identities of the messages of mailboxes: see extract.Place.Identities. An entry has the number of its list. The bucket has
// each list in pieces, so that a mailbox that grows changes only the last one. All are read only if the mailbox was rewritten.

const (
	identityLen = 8
	perPiece    = 4096
)

// pieceKey returns the key of a piece: the number of the list, and of the piece in it.
func pieceKey(list, piece uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, list), piece)
}

// putMessages saves the new identities of p, and gives it a list if it has none.
func (p *pending) putMessages(tx *bolt.Tx) (err error) {
	fresh, at := p.fresh, p.first
	if len(fresh) == 0 {
		return nil
	}
	bucket := tx.Bucket(messagesBucket)
	bucket.FillPercent = fillPercent
	if p.messages == 0 {
		if p.messages, err = bucket.NextSequence(); err != nil {
			return err
		}
	}
	for len(fresh) > 0 {
		key := pieceKey(p.messages, uint64(at/perPiece))
		old, err := get(bucket, key)
		if err != nil {
			return err
		}
		from := at % perPiece
		n := min(len(fresh), perPiece-from)
		piece := make([]byte, max(len(old), (from+n)*identityLen), perPiece*identityLen+sumLen) // what is lacking is zero, like no message
		copy(piece, old)
		for i, identity := range fresh[:n] {
			binary.BigEndian.PutUint64(piece[(from+i)*identityLen:], identity)
		}
		if err := put(bucket, key, piece); err != nil {
			return err
		}
		fresh, at = fresh[n:], at+n
	}
	return nil
}

// eachPiece calls each for the pieces of a list in order.
func eachPiece(tx *bolt.Tx, list uint64, each func(key, piece []byte) error) error {
	if list == 0 {
		return nil
	}
	c, prefix := tx.Bucket(messagesBucket).Cursor(), binary.BigEndian.AppendUint64(nil, list)
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		if err := each(k, v); err != nil {
			return err
		}
	}
	return nil
}

// messagesIn returns the identities in a list.
func (s *store) messagesIn(list uint64) (identities []uint64, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		return eachPiece(tx, list, func(key, piece []byte) error {
			piece, err := unseal(key, piece)
			if err == nil && len(piece) > perPiece*identityLen {
				err = errEntry
			}
			if err != nil {
				return err
			}
			for ; len(piece) >= identityLen; piece = piece[identityLen:] {
				identities = append(identities, binary.BigEndian.Uint64(piece))
			}
			return nil
		})
	})
	return identities, err
}

// dropMessages removes a list.
func dropMessages(tx *bolt.Tx, list uint64) error {
	var keys [][]byte
	err := eachPiece(tx, list, func(key, _ []byte) error {
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
