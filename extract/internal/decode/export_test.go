package decode

// Room returns for how many line starts there is memory.
func (l *Lines) Room() int { return cap(l.starts) }

const DefaultMax = defaultMax
