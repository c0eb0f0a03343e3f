package extract

import (
	"bytes"

	"github.com/urlsift/urlsift/uri"
)

// normalize puts the URL and the Target, which are valid, into the normal form. What follows
// from the text, as Accepts, stays.
func (j *judge) normalize() {
	r, b := &j.res, &j.buffers
	b.normal = j.appendNormal(b.normal[:0], r.URL, r.Parts)
	r.URL = b.normal
	r.Parts = uri.Split(r.URL)
	if r.Target == nil {
		return
	}
	b.normalTarget = j.appendNormal(b.normalTarget[:0], r.Target, uri.Split(r.Target))
	if r.Target = b.normalTarget; bytes.Equal(r.Target, r.URL) {
		r.Target, r.Base, r.BaseSource = nil, "", 0
	}
}

// appendNormal appends the normal form of ref by the newest of the chosen grammars that
// accept it, since another one may have none for it.
func (j *judge) appendNormal(dst, ref []byte, p uri.Parts) []byte {
	by, _ := uri.Accepts(ref, p, j.opts.Grammar)
	if by == 0 {
		return append(dst, ref...)
	}
	return uri.AppendNormal(dst, ref, p, by)
}
