// Package tally counts results by their keys: URL, host, day and others. It makes keys of
// results, and rows of output of the sums; package count does the sums.
//
//	t := tally.New(o.Tally, redact, workers)
//	defer t.Close()
//	for r := range x.Run(ctx, sources) { // with one worker
//		t.Take(r)
//	}
//	err := t.Print(printing, write)
//
// With several workers, each of them makes events of its results, with the Encoder that
// [Tally.Encoder] returns: bytes that hold the keys, the time and the source. Events come to
// [Tally.Events] in the order of the results, without those that are not yielded. From there
// they go to a few shards. A shard is a goroutine that counts some of the keys, so no key is
// in two of them and each key's events are counted in order, as package count wants them.
package tally
