// Package tally counts results by their keys: URL, host, day and others. It makes the
// keys of results and the rows of the output (urlsift count --by); package count sums up.
//
//	t := tally.New(o.Tally, redact, workers)
//	defer t.Close()
//	for r := range x.Run(ctx, sources) { // with one worker
//		t.Take(r)
//	}
//	err := t.Print(printing, write)
//
// With several workers, each worker makes events of its results, with the Encoder that
// [Tally.Encoder] returns. An event is a sequence of bytes that hold a key, the time and the
// source. Package extract yields the events of the results in order, and [Tally.Events]
// passes them on to a few shards. A shard is a goroutine that counts some of the keys. No
// key is in two shards, and each shard counts its events in order, as package count
// requires.
package tally
