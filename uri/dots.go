package uri

// squeeze removes dot segments from the path at dst[start:], in place, as the
// rules have it, and returns how many ".." were left at its beginning because
// nothing stood before them.
//
// The documents describe the removal as a rewriting of strings, repeated until
// nothing matches. A single walk over the segments with what was kept as a stack
// gives the same, since a ".." takes the nearest kept segment before it, and the
// leftmost ".." comes first: each byte is moved at most once and each slash
// looked back at once, so the time is linear.
func squeeze(dst []byte, start int, rules Grammar) (out []byte, excess int) {
	switch {
	case rules&dotsEverywhere != 0:
		return removeDots(dst, start), 0
	case rules&dotsTakeSlash != 0:
		return removeElements(dst, start), 0
	}
	path := dst[start:]
	w := 0 // path[:w] is kept
	if len(path) > 0 && path[0] == '/' {
		w = 1
	}
	root := w // nothing before root is a segment
	for r := w; r < len(path); {
		end := r
		for end < len(path) && path[end] != '/' {
			end++
		}
		seg := path[r:end]
		next := min(end+1, len(path)) // behind the slash, if one follows
		switch {
		case string(seg) == ".":
			// goes with the slash behind it
		case string(seg) == ".." && w > root && excess*3 < w-root:
			// The kept text ends in a slash; what stands before it goes.
			for w--; w > root && path[w-1] != '/'; w-- {
			}
		default:
			if string(seg) == ".." {
				excess++
			}
			w += copy(path[w:], path[r:next])
		}
		r = next
	}
	return dst[:start+w], excess
}

// dropExcess removes the n segments ".." that begin the path at dst[start:].
func dropExcess(dst []byte, start, n int) []byte {
	path := dst[start:]
	w := 0
	if path[0] == '/' {
		w = 1
	}
	r := min(w+3*n, len(path)) // the last may lack its slash
	return dst[:start+w+copy(path[w:], path[r:])]
}

// removeDots is remove_dot_segments of RFC 3986, section 5.2.4, in place: the
// input buffer is path[r:], the output buffer path[:w], and w never passes r.
func removeDots(dst []byte, start int) []byte {
	path := dst[start:]
	r, w := 0, 0
	for r < len(path) { // each turn moves r on, or shortens path and ends
		in := path[r:]
		switch {
		case begins(in, "../"): // A
			r += 3
		case begins(in, "./"):
			r += 2
		case begins(in, "/./"): // B
			r += 2
		case is(in, "/."):
			in[1], r = '/', r+1
		case begins(in, "/../"): // C
			r, w = r+3, lastSlash(path, w)
		case is(in, "/.."):
			in[2], r, w = '/', r+2, lastSlash(path, w)
		case is(in, ".") || is(in, ".."): // D
			r = len(path)
		default: // E
			n := 1
			for n < len(in) && in[n] != '/' {
				n++
			}
			w += copy(path[w:], in[:n])
			r += n
		}
	}
	return dst[:start+w]
}

// is and begins look at no more of b than they must.
func is(b []byte, s string) bool { return len(b) == len(s) && string(b) == s }

func begins(b []byte, with string) bool {
	return len(b) >= len(with) && string(b[:len(with)]) == with
}

// lastSlash returns where the last slash of path[:w] stands, or 0.
func lastSlash(path []byte, w int) int {
	for w--; w > 0 && path[w] != '/'; w-- {
	}
	return max(w, 0)
}

// removeElements removes "/." and "/xxx/.." as the document of 1993 has it,
// where xxx, "." and ".." are complete path elements: the slash before them goes
// with them, and the one behind stays.
func removeElements(dst []byte, start int) []byte {
	path := dst[start:]
	w, kept := 0, 0 // path[:w] is kept and ends in that many elements that may go
	for r := 0; r < len(path); {
		end := r + 1 // an element is read with the slash before it
		for end < len(path) && path[end] != '/' {
			end++
		}
		el := path[r:end]
		switch {
		case string(el) == "/.":
		case string(el) == "/.." && kept > 0:
			kept--
			for w--; w > 0 && path[w] != '/'; w-- {
			}
		default:
			if kept++; string(el) == "/.." || el[0] != '/' {
				kept = 0 // nothing takes these away, nor what stands before
			}
			w += copy(path[w:], el)
		}
		r = end
	}
	return dst[:start+w]
}
