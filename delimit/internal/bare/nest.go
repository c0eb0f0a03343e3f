package bare

// Plan: a bracket that is never closed ends a bare reference. But this is known only at
// the end of the run, or when maxNest brackets are open. If the text in front of the
// bracket is not a reference, as in {foo://&&{foo://&&, the scan from the next colon
// meets the same brackets. So the scanner stores where the last scan stopped, and which
// brackets were open there. A scan that opens one of these brackets continues where the last scan
// stopped:
//
//	{foo://&&{foo://&&{foo://&& … {foo://&&{foo://&&
//	         1        2             16     ^ stopped, with 16 brackets open
//	                  1 ........... 15     ^ continues, with 15
//
// The result is the same, because while a bracket is open, nothing in it depends on what
// is in front of it, except for
//
//   - the part of the reference that the bracket is in. It must be the same for both
//     scans, and not the authority, where a scan searches for a host;
//   - the partner of the bracket in front of the reference. So there is a nest for each
//     kind of that bracket. It counts how many brackets of that kind are open. For each open
//     bracket it keeps the lowest count since that bracket was opened;
//   - a drive letter, which the beginning of the reference decides (forget);
//   - the depth: a scan that has more brackets open than the earlier one had there does
//     not continue from it.

// nests has the nests of the scans that stopped last: one for each kind of bracket in
// front of a reference, one for everything else, and a spare one.
type nests struct {
	kept  [4]*nest
	Spare *nest
}

// NewNests returns nests that are all empty.
func NewNests() nests {
	return nests{kept: [4]*nest{new(nest), new(nest), new(nest), new(nest)}, Spare: new(nest)}
}

// Clear empties all nests.
func (ns *nests) Clear() {
	for _, n := range ns.kept {
		n.Depth = 0
	}
}

// Of returns the place of the nest for references that follow the byte before.
func (ns *nests) Of(before byte) **nest {
	switch before {
	case '(':
		return &ns.kept[1]
	case '[':
		return &ns.kept[2]
	case '{':
		return &ns.kept[3]
	}
	return &ns.kept[0]
}

// keep stores the open brackets of the scan w, which stopped at the byte stop, if there are any.
func (ns *nests) keep(w *ScanState, stop int, before byte) {
	n := w.nest
	if n.lost {
		n.Depth = 0
	}
	if n.Depth == 0 {
		return
	}
	n.stop, n.open, n.component, n.JSON = stop, w.open, w.Component, w.JSON
	if n == ns.Spare {
		k := ns.Of(before)
		*k, ns.Spare = n, *k
	}
}

// resume returns where the scan w, which has reached b[i], may continue. If an earlier
// scan had the innermost bracket of w open in the same state, w may continue where the
// earlier scan stopped; otherwise resume returns i.
func (ns *nests) resume(w *ScanState, i int, before byte) int {
	n, old := w.nest, *ns.Of(before)
	if n == old || n.Depth == 0 || n.lost {
		return i
	}
	own := n.Depth - 1
	last := n.brackets[own]
	k := own
	for k < old.Depth && old.brackets[k].at < last.at { // at most maxNest
		k++
	}
	if k >= old.Depth || old.brackets[k].at != last.at || old.brackets[k].component != last.component || last.component == InAuthority {
		return i
	}
	shift := last.open - old.brackets[k].open
	if shift != 0 {
		for _, b := range old.brackets[k:old.Depth] {
			if b.least+shift < 0 {
				return i // the partner of the bracket in front of the reference is between i and old.stop
			}
		}
	}
	old.Depth = own + copy(old.brackets[own:], old.brackets[k:old.Depth])
	copy(old.brackets[:own], n.brackets[:own])
	if shift != 0 {
		for j := own; j < old.Depth; j++ {
			old.brackets[j].open += shift
			old.brackets[j].least += shift
		}
	}
	w.nest, w.open, w.Component, w.JSON = old, old.open+shift, old.component, w.JSON || old.JSON
	old.lost = false
	return old.stop
}
