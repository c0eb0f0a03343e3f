package uri

// Dot segments, "." and "..", are removed from a path in place and in linear time. The documents have
// three rules:
//
//	removeElements  1993: "/." and "/xxx/.." are removed with the slash in front of them
//	removeSegments  1994 to 2002: "./" and "xxx/../" are removed; a ".." at the beginning stays
//	removeDots      RFC 3986: as removeSegments, in any path, and no ".." stays

// removeSegments removes dot segments from the path at dst[start:]. It returns the number
// of ".." that remain at the beginning because no segment is in front of them.
//
// The documents describe the removal as rewriting, repeated until nothing matches.
// One pass over the segments, with the kept ones as a stack, gives the same result:
// a ".." removes the nearest kept segment in front of it, and the leftmost ".." comes
// first. Each byte is moved at most once and scanned backwards at most once, so the
// time is linear.
func removeSegments(dst []byte, start int) (out []byte, excess int) {
	path := dst[start:]
	w := 0 // path[:w] is kept
	if len(path) > 0 && path[0] == '/' {
		w = 1
	}
	root := w // the segments begin here
	for r := w; r < len(path); {
		end := r
		for end < len(path) && path[end] != '/' {
			end++
		}
		seg := path[r:end]
		next := min(end+1, len(path)) // after the slash, if one follows
		switch {
		case string(seg) == ".":
			// removed with the slash after it
		case string(seg) == ".." && w > root && excess*3 < w-root:
			// The kept text ends in a slash. Remove the segment in front of it.
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

// dropExcess removes the n segments ".." at the beginning of the path at dst[start:].
func dropExcess(dst []byte, start, n int) []byte {
	path := dst[start:]
	w := 0
	if path[0] == '/' {
		w = 1
	}
	r := min(w+3*n, len(path)) // the last may have no slash
	return dst[:start+w+copy(path[w:], path[r:])]
}

// removeDots is remove_dot_segments of RFC 3986, section 5.2.4, in place: the
// input buffer is path[r:], the output buffer path[:w], and w never passes r.
func removeDots(dst []byte, start int) []byte {
	path := dst[start:]
	r, w := 0, 0
	for r < len(path) {
		in := path[r:]
		switch {
		case pathBegins(in, "../"): // A
			r += 3
		case pathBegins(in, "./"):
			r += 2
		case pathBegins(in, "/./"): // B
			r += 2
		case pathIs(in, "/."):
			in[1], r = '/', r+1
		case pathBegins(in, "/../"): // C
			r, w = r+3, lastSlash(path, w)
		case pathIs(in, "/.."):
			in[2], r, w = '/', r+2, lastSlash(path, w)
		case pathIs(in, ".") || pathIs(in, ".."): // D
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

func pathIs(b []byte, s string) bool { return len(b) == len(s) && string(b) == s }

// pathBegins reports whether b begins with the given text.
func pathBegins(b []byte, with string) bool {
	return len(b) >= len(with) && string(b[:len(with)]) == with
}

// lastSlash returns the offset of the last slash in path[:w], or 0 if there is none.
func lastSlash(path []byte, w int) int {
	for w--; w > 0 && path[w] != '/'; w-- {
	}
	return max(w, 0)
}

// removeElements removes "/." and "/xxx/.." by the document of 1993, where xxx, "."
// and ".." are complete path elements. The slash in front of an element is removed
// with it, and the slash after it stays.
func removeElements(dst []byte, start int) []byte {
	path := dst[start:]
	w, kept := 0, 0 // path[:w] is kept; its last kept elements can be removed by ".."
	for r := 0; r < len(path); {
		end := r + 1 // an element includes the slash in front of it
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
				kept = 0 // no ".." removes this one, or those in front of it
			}
			w += copy(path[w:], el)
		}
		r = end
	}
	return dst[:start+w]
}

// isDotSegment reports whether a segment of a path is a dot segment.
func isDotSegment(segment string) bool { return segment == "." || segment == ".." }
