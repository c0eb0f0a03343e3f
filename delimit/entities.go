package delimit

// HTML entities in plain text (rule 11).

// endingEntities are the entities that end a bare reference, without "&" and ";". In text
// that was written for HTML they represent delimiters.
var endingEntities = [...]string{
	"lt", "gt", "quot", "nbsp", "#60", "#62", "#34", "#160", "#x3c", "#x3e", "#x22", "#xa0",
}

// StartsEntity reports whether an ending entity may begin with c.
func startsEntity(c byte) bool {
	switch c | 0x20 {
	case 'l', 'g', 'q', 'n', '#':
		return true
	}
	return false
}

// EndingEntity reports whether b, which begins with "&", begins with an entity that ends a
// reference. short reports whether all of b could be the beginning of such an entity.
func endingEntity(b []byte) (is, short bool) {
	if len(b) == 1 {
		return false, true
	}
	if !startsEntity(b[1]) {
		return false, false
	}
	for _, name := range endingEntities {
		k := min(len(b)-1, len(name))
		if lower(b[1]) != name[0] || !foldEqual(b[1:1+k], name[:k]) {
			continue
		}
		switch {
		case len(b) < len(name)+2:
			short = true
		case b[len(name)+1] == ';':
			return true, false
		}
	}
	return false, short
}
