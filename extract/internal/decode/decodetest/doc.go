// Package decodetest has what the tests of decoders share.
//
//	want := decodetest.EveryWay(t, input, d) // whole, byte by byte, cut at every place
//	if want.Text != "http://a/" {
//		t.Errorf("got %q", want.Text)
//	}
//	decodetest.Linear(t, "many tags", "<a |href=x ", d) // twice the input, twice the time
//
// A [Reading] is the complete output of a decoder for one input: text, attributes, errors,
// and the span of each byte. A [Twin] is the output of a slow and simple decoder.
package decodetest
