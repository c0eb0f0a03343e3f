package state

import (
	"encoding/binary"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// An OutputFile is a file to which results were written, with its length.
type OutputFile struct {
	Path          string
	Device, Inode uint64
	Length        int64
	Ended         bool   // the run has ended; bytes after Length were written by other programs
	Form          string // format of its records; records in other formats cannot follow
}

// isSame reports whether o and p are the same file. Where the system has no inodes, the name
// decides.
func (o *OutputFile) isSame(p *OutputFile) bool {
	return o.Device == p.Device && o.Inode == p.Inode && (o.Inode != 0 || o.Path == p.Path)
}

// outputs are the OutputFiles of the last runs, the latest first. The length of each file is kept,
// because a run may be killed and the next one may write to another file.
type outputs []OutputFile

// mostOutputs bounds outputs.
const mostOutputs = 64

// add puts o in front. If there are too many, it removes the oldest one whose run has ended
// or, if there is none, the oldest one.
func (list outputs) add(o OutputFile) outputs {
	list = slices.DeleteFunc(slices.Clone(list), func(p OutputFile) bool { return p.isSame(&o) })
	list = slices.Insert(list, 0, o)
	if len(list) <= mostOutputs {
		return list
	}
	last := len(list) - 1
	for i := last; i > 0; i-- {
		if list[i].Ended {
			last = i
			break
		}
	}
	return slices.Delete(list, last, last+1)
}

func (list outputs) appendTo(b []byte) []byte {
	for _, o := range list { // at most mostOutputs
		ended := uint64(0)
		if o.Ended {
			ended = 1
		}
		for _, v := range [...]uint64{o.Device, o.Inode, uint64(o.Length), ended} {
			b = binary.AppendUvarint(b, v)
		}
		for _, s := range [...]string{o.Path, o.Form} {
			b = binary.AppendUvarint(b, uint64(len(s)))
			b = append(b, s...)
		}
	}
	return b
}

// outputsOf returns the outputs in the bucket meta.
func outputsOf(meta *bolt.Bucket) (outputs, error) {
	b, err := get(meta, outputsKey)
	if err != nil {
		return nil, err
	}
	return parseOutputs(b)
}

// parseOutputs reads what appendTo has written.
func parseOutputs(b []byte) (list outputs, err error) {
	failed := false
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			failed, b = true, nil
			return 0
		}
		b = b[n:]
		return v
	}
	text := func() string {
		n := number()
		if n > uint64(len(b)) {
			failed, b = true, nil
			return ""
		}
		s := string(b[:n])
		b = b[n:]
		return s
	}
	for len(b) > 0 {
		o := OutputFile{Device: number(), Inode: number(), Length: int64(number()), Ended: number() != 0}
		o.Path, o.Form = text(), text()
		list = append(list, o)
	}
	if failed || len(list) > mostOutputs {
		return nil, errEntry
	}
	return list, nil
}
