package compress

import "sync/atomic"

// A ratio counts the text of the source's outermost layer, and compares it with Limits.Ratio. A nil ratio counts nothing.
type ratio struct {
	caller  *caller
	source  *Source
	text    int64       // offset of the next decompressed byte
	checked atomic.Bool // see Pool.CheckRatio; atomic, because the read-ahead goroutine reads it
}

func (r *ratio) reset() {
	r.text = 0
	r.checked.Store(false)
}

// count counts n bytes of text. It returns how many of them are allowed, and a Damage if that
// is fewer than n. The size of the text is compared with how much of the source was read
// (Source.read). For a given byte of text this is the same wherever reading began: the source is read in
// blocks that end at the same offsets (see Source.once).
func (r *ratio) count(n int) (int, error) {
	if r == nil || n == 0 {
		return n, nil
	}
	r.text += int64(n)
	if !r.checked.Load() {
		return n, nil
	}
	most, from := int64(r.caller.limits.Ratio), r.caller.limits.RatioFrom
	if r.text > from && r.text/most > r.source.read {
		allowed := max(from, most*(r.source.read+1)-1)
		return n - int(r.text-allowed), overRatio(most)
	}
	return n, nil
}

// CheckRatio says whether all text of the outermost layer belongs to one stream of text or messages. If
// so, the size of the text so far is compared with Limits.Ratio at each Read.
func (p *Pool) CheckRatio(all bool) { p.ratio.checked.Store(all) }
