package lzma

// The fast loop. It relies on these facts:
//
//   - Input: an iteration consumes fewer than margin bytes, and begins only if they are in b.
//   - Output: an iteration begins in front of limit, and writes at most a match of 273 bytes, in pieces of
//     32. The window has that much room after its ring, and so much more than the dictionary (slack) that what
//     a piece writes too much is not needed.
//   - Matches: the distance is compared with the text that is there.
//   - Probabilities: a tree of n bits has 1<<n of them, and the index has fewer than n+1 bits.
//
// So with [table] and [bytes] as pointers it needs no bounds checks (mem.go).
//
// Most bits are hard to predict. So those of trees are decoded without a branch: both outcomes are computed, and
// one is selected. Bits that decide what comes next are branches.
//
// It is long because it is one loop, whose state has to stay in registers.

// split decodes a bit with the probability p of 0, and adapts it. It has no branch: the compiler selects
// by conditional moves.
func split(rng, code, p uint32) (newRng, newCode, bit, newP uint32) {
	bound := rng >> 11 * p
	newRng, newCode = rng-bound, code-bound
	if code < bound {
		newRng, newCode = bound, code
	}
	bit = toInt(code >= bound)
	return newRng, newCode, bit, p - uint32(int32(p+(bit-1)&(1<<32-1<<11+31))>>5) // p -= p>>5, or p += (1<<11-p)>>5
}

func toInt(b bool) (v uint32) {
	if b {
		v = 1
	}
	return v
}

// fast decodes b until less than a margin is left of it, or the window has limit bytes, or the
// stream ends. It returns how many bytes it has consumed.
func (d *decoder) fast(b []byte, limit int) (used int, why loopEnd) {
	w := &d.win
	in, text, probs := bytesOf(b), bytesOf(w.text), tableOf(d.probs)
	rng, code, state, out := d.rng, d.code, d.state, w.out
	last, at := len(b)-margin, 0
	for at <= last && out < limit {
		posState := uint32(out) & d.posMask
		i := atMatch + state<<4 + posState
		p := get(probs, i)
		bound := rng >> 11 * p
		if code < bound { // a literal
			put(probs, i, p+(1<<11-p)>>5)
			if rng = bound; rng < top {
				rng, code = rng<<8, code<<8|byteAt(in, at)
				at++
			}
			base := atLiteral + 0x300*(((uint32(out)<<8|byteAt(text, out-1))&d.literalMask)>>d.literalShift)
			sym := uint32(1)
			if state >= 7 {
				from := out - int(d.rep[0]) - 1
				if from < front {
					from += w.ring
				}
				match, offset := byteAt(text, from), uint32(0x100)
				for range 8 {
					match <<= 1
					i := base + offset + match&offset + sym
					var bit, p uint32
					rng, code, bit, p = split(rng, code, get(probs, i))
					put(probs, i, p)
					sym = sym<<1 + bit
					offset &= match ^ (bit - 1)
					if rng < top {
						rng, code = rng<<8, code<<8|byteAt(in, at)
						at++
					}
				}
			} else {
				p := get(probs, base+1)
				for range 8 {
					// Both that may be next are loaded before it is known which: 4 to 13 % of the time for logs.
					low, high := get(probs, base+sym<<1), get(probs, base+sym<<1+1)
					var bit, q uint32
					rng, code, bit, q = split(rng, code, p)
					put(probs, base+sym, q)
					sym = sym<<1 + bit
					if p = low; bit != 0 {
						p = high
					}
					if rng < top {
						rng, code = rng<<8, code<<8|byteAt(in, at)
						at++
					}
				}
			}
			setByte(text, out, byte(sym))
			out++
			state = uint32(afterLiteral[state&15])
			continue
		}
		rng, code = rng-bound, code-bound
		put(probs, i, p-p>>5)
		if rng < top {
			rng, code = rng<<8, code<<8|byteAt(in, at)
			at++
		}

		lengths := uint32(atLength)
		i = atRep + state
		p = get(probs, i)
		bound = rng >> 11 * p
		rep := code >= bound
		if !rep {
			put(probs, i, p+(1<<11-p)>>5)
			if rng = bound; rng < top {
				rng, code = rng<<8, code<<8|byteAt(in, at)
				at++
			}
			d.rep[3], d.rep[2], d.rep[1] = d.rep[2], d.rep[1], d.rep[0]
			state = after(state, 7, 10)
		} else {
			rng, code = rng-bound, code-bound
			put(probs, i, p-p>>5)
			if rng < top {
				rng, code = rng<<8, code<<8|byteAt(in, at)
				at++
			}
			lengths = atRepLength
			i = atRepG0 + state
			p = get(probs, i)
			bound = rng >> 11 * p
			if code < bound {
				put(probs, i, p+(1<<11-p)>>5)
				if rng = bound; rng < top {
					rng, code = rng<<8, code<<8|byteAt(in, at)
					at++
				}
				i = atRep0Long + state<<4 + posState
				var bit uint32
				rng, code, bit, p = split(rng, code, get(probs, i))
				put(probs, i, p)
				if rng < top {
					rng, code = rng<<8, code<<8|byteAt(in, at)
					at++
				}
				if bit == 0 { // one byte
					from := out - int(d.rep[0]) - 1
					if from < front {
						if !w.wrapped {
							why = atBad
							break
						}
						from += w.ring
					}
					setByte(text, out, byte(byteAt(text, from)))
					out++
					state = after(state, 9, 11)
					continue
				}
			} else {
				rng, code = rng-bound, code-bound
				put(probs, i, p-p>>5)
				if rng < top {
					rng, code = rng<<8, code<<8|byteAt(in, at)
					at++
				}
				i = atRepG1 + state
				var bit uint32
				rng, code, bit, p = split(rng, code, get(probs, i))
				put(probs, i, p)
				if rng < top {
					rng, code = rng<<8, code<<8|byteAt(in, at)
					at++
				}
				dist := d.rep[1]
				if bit != 0 {
					i = atRepG2 + state
					rng, code, bit, p = split(rng, code, get(probs, i))
					put(probs, i, p)
					if rng < top {
						rng, code = rng<<8, code<<8|byteAt(in, at)
						at++
					}
					dist = d.rep[2]
					if bit != 0 {
						dist = d.rep[3]
						d.rep[3] = d.rep[2]
					}
					d.rep[2] = d.rep[1]
				}
				d.rep[1], d.rep[0] = d.rep[0], dist
			}
			state = after(state, 8, 11)
		}

		// The length.
		var less, size uint32
		p = get(probs, lengths)
		bound = rng >> 11 * p
		i = lengths + lowLengths + posState<<3
		if code < bound {
			put(probs, lengths, p+(1<<11-p)>>5)
			rng = bound
			less, size = 8, 8
		} else {
			rng, code = rng-bound, code-bound
			put(probs, lengths, p-p>>5)
			if rng < top {
				rng, code = rng<<8, code<<8|byteAt(in, at)
				at++
			}
			p = get(probs, lengths+1)
			bound = rng >> 11 * p
			if code < bound {
				put(probs, lengths+1, p+(1<<11-p)>>5)
				rng = bound
				i += midLengths - lowLengths
				less, size = 0, 8
			} else {
				rng, code = rng-bound, code-bound
				put(probs, lengths+1, p-p>>5)
				i = lengths + highLengths
				less, size = 256-16, 256
			}
		}
		if rng < top {
			rng, code = rng<<8, code<<8|byteAt(in, at)
			at++
		}
		sym := uint32(1)
		for sym < size {
			var bit, p uint32
			rng, code, bit, p = split(rng, code, get(probs, i+sym))
			put(probs, i+sym, p)
			sym = sym<<1 + bit
			if rng < top {
				rng, code = rng<<8, code<<8|byteAt(in, at)
				at++
			}
		}
		n := sym - less // less minMatch

		if !rep { // the distance
			i := atSlot + min(n, 3)<<6
			sym := uint32(1)
			for range 6 {
				var bit, p uint32
				rng, code, bit, p = split(rng, code, get(probs, i+sym))
				put(probs, i+sym, p)
				sym = sym<<1 + bit
				if rng < top {
					rng, code = rng<<8, code<<8|byteAt(in, at)
					at++
				}
			}
			dist := sym - 64
			if dist >= 4 {
				k := dist>>1 - 1
				dist = (2 | dist&1) << k
				i := uint32(atAlign)
				if k < 6 {
					i = atDistance + dist - (sym - 64)
				} else {
					v := uint32(0)
					for k -= 4; k > 0; k-- {
						rng >>= 1
						bit := toInt(code >= rng)
						less := code - rng
						if code >= rng {
							code = less
						}
						v = v<<1 + bit
						if rng < top {
							rng, code = rng<<8, code<<8|byteAt(in, at)
							at++
						}
					}
					dist += v << 4
					k = 4
				}
				sym, place := uint32(1), uint32(1)
				for range k {
					var bit, p uint32
					rng, code, bit, p = split(rng, code, get(probs, i+sym))
					put(probs, i+sym, p)
					sym = sym<<1 + bit
					dist += place & -bit
					place <<= 1
					if rng < top {
						rng, code = rng<<8, code<<8|byteAt(in, at)
						at++
					}
				}
			}
			d.rep[0] = dist
			if dist == 1<<32-1 {
				why = atMark
				break
			}
		}

		if d.rep[0] >= w.dict {
			why = atBad
			break
		}
		dist, length := int(d.rep[0])+1, minMatch+int(n)
		from := out - dist
		if from < front {
			if !w.wrapped {
				why = atBad
				break
			}
			if from += w.ring; from+length > front+w.ring {
				w.copyBytes(out, from, length)
				out += length
				continue
			}
			dist = 1 << 30 // in front of out is what was written a lap ago
		}
		copyMatch(text, out, from, dist, length)
		out += length
	}
	d.rng, d.code, d.state, w.out = rng, code, state, out
	return at, why
}
