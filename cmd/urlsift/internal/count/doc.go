// Package count sums up events by key, exactly, in bounded memory. It knows keys and
// numbers, and no URL: package tally makes the keys of results.
//
//	c := count.New(count.Options{Memory: 256 << 20})
//	defer c.Close()
//	if err := c.Add(key, source, time); err != nil { // for each event
//		return err
//	}
//	for row, err := range count.Rows(count.ByCount, 10, c) {
//		fmt.Println(row.Count, string(row.Key))
//	}
//
// # How it works
//
//   - A sumTable (table.go) has the sums of keys, and a map from the hashes of keys. It has no pointers
//     to keys, so the garbage collector does not scan it, and its memory is used again.
//   - When the next key would exceed the memory, the table is sorted (sort.go) and becomes a
//     run: a sequence of keys with sums, in the order of the keys (run.go). A key is written
//     without the bytes that it shares with the key in front of it. Blocks of some 64 KiB
//     are compressed with zstd.
//   - Runs are in levels (spool.go). When a level has 64 runs, they are merged into one run
//     of the next level, and their file is emptied. So each event is written once for each
//     level, n runs have log n / log 64 levels, and a merge has at most 64 inputs.
//   - Rows (rows.go) merges what is left, keys in order. If rows are wanted in the order of
//     their sums and do not fit into memory, they are sorted once more in the same way, with
//     keys that begin with the sum.
//
// # Why no library
//
// Libraries that sort in temporary files, such as lanrat/extsort, write each event and bound
// the number of records in memory, not their bytes. Here events of the same key are summed
// before they are written, and keys of any length stay within the memory that was given.
//
// # Files
//
// Each level is a temporary file that has no name: it is removed when it is created (on
// Linux it never has one). The system frees it when the process ends, for whatever reason.
// On systems that cannot remove an open file, Close removes it.
//
// # Sources
//
// Events come from numbered sources, and a row says from how many. The numbers given to one
// Counter never decrease. So two stretches of events that follow each other have at most one
// source in common: the last one of the first stretch is then the first one of the second. A
// sum needs no set of sources.
package count
