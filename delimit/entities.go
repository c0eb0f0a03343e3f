package delimit

// mayBeEntity reports whether an entity may begin at b[i], which is "&": a name and a semicolon, or
// the end of b.
func mayBeEntity(b []byte, i int) bool {
	k := i + 1
	if k < len(b) && b[k] == '#' {
		k++
	}
	for k < len(b) && k-i <= maxEntity && roles[b[k]].has(alnum) { // bounded by maxEntity
		k++
	}
	return k == len(b) || b[k] == ';' && k-i > 1
}
