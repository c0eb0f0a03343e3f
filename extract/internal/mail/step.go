package mail

// step finds more of the part, or its end.
func (x *endFinder) step() {
	switch {
	case x.header:
		x.stepHeader(0)
	case x.data != ordinary:
		x.stepData()
	default:
		x.stepText()
	}
}

// skip discards the rest of the part.
func (x *endFinder) skip() {
	for !x.done { // each iteration passes bytes of the stream, or reads
		x.in.pass()
		x.step()
	}
	x.in.pass()
}

// empty reports whether the part ends undamaged with nothing left of it.
func (x *endFinder) empty() bool {
	in := x.in
	for in.lo == in.ok && !x.done { // each iteration passes bytes of the stream, or reads
		x.step()
	}
	return in.lo == in.ok && in.failed(nil) == nil
}
