package decode

// Room returns the capacity of the slice of line starts.
func (l *Lines) Room() int { return cap(l.starts) }

const DefaultMax = defaultMax
