package mail

// step finds more of the part, or its end.
func (f *endFinder) step() {
	switch {
	case f.header:
		f.stepHeader(0)
	case f.data != ordinary:
		f.stepData()
	default:
		f.stepText()
	}
}

// skip discards the rest of the part.
func (f *endFinder) skip() {
	for !f.done { // each iteration passes bytes of the stream, or reads
		f.in.pass()
		f.step()
	}
	f.in.pass()
}

// empty reports whether the part ends undamaged with nothing left of it.
func (f *endFinder) empty() bool {
	in := f.in
	for in.lo == in.ok && !f.done { // each iteration passes bytes of the stream, or reads
		f.step()
	}
	return in.lo == in.ok && in.failed(nil) == nil
}
