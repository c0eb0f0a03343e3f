package decode

// Room returns the capacity of the slice of line starts.
func (l *Lines) Room() int { return cap(l.starts) }

// Count returns how many bytes were read.
func (l *Lines) Count() int64 { return l.off }

const MaxLines = maxLines
