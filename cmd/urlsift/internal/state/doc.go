// Package state stores in one file what runs have read and printed, for the next run.
//
//	s, err := state.Open(state.Options{Path: "urls.state", Settle: time.Minute})
//	s.Written = func() (state.OutputFile, error) { ... }    // writes out what waits
//	x, err := extract.New(extract.Options{Resume: s.Resume()})
//	for r, err := range x.Run(ctx, s.Sources(sources)) { ... }
//	err = s.Close()
//
// # Words
//
//   - An entry describes a file: its identity (device, inode, name), its size and time when it was
//     opened, and its [extract.Place], which has hashes of all that was read.
//   - A file is young if it was changed a moment before it was opened: it may change again and keep
//     the same time.
//   - A file is growing if it was changed less than Settle ago.
//   - The stem of a name is the part that the rotation of logs and the flags of a maildir do not
//     change: log, log.1, log-20261123 and log.2.gz have the same, and so have 12.host and
//     12.host:2,S.
//   - A former entry is an entry whose file no longer begins with the text that was read of it.
//
// # How a file is recognised
//
//	device, inode, name, size and time are the same,
//	and the flags that decide how it is read          it is not opened
//	device and inode are the same, and it has grown   samples of it are compared
//	device and inode are the same, and it has not     all that was read is compared
//	another inode, the same stem                      all that was read is compared
//	a mailbox that no longer begins so                its messages are compared
//
// A file with the inode of an entry is a renamed file only if the entry's name no longer exists or
// is another file. Otherwise it is a hard link, which is read as a separate file. A copy of a file
// that still exists is read too, unless the copy is compressed and in the same folder: then the
// file is being rotated. Only entries of earlier runs are compared, so that what a run finds does
// not depend on the order in which workers read.
//
// # When it is saved
//
// Workers read ahead of the output. When everything in front of a place was given to the
// output, the place is reported (see [extract.Resume]) and kept in memory. Every few seconds
// the output is written out, and synced if it is a file; then all places are saved in one
// transaction, together with the length of the output and the hashes of printed URLs. So if a
// run is killed, no result is lost, and the next run repeats only the results that came after
// the last transaction. With -o, the next run first cuts the output to the length in the
// state.
//
// # Rounds
//
// A run that follows files reads again and again with one open state (state.go): NextRun
// begins a round, which compares files with the entries of earlier ones. A file that has lost its
// name and is still open has a separate entry, with its inode after the name. A copy that is still
// being made or compressed is left for a later round.
//
// # Parts
//
//	store        the database: transactions, and what is searched for in it
//	common       a store, options, and the first error; what the other parts use
//	recogniser   which entry a file has, and from where it is read
//	saver        what has come since the last transaction
//	State        all of these, and the order in which they are used
//
// # The file
//
// It is a database of bbolt with these buckets (keys.go):
//
//	meta     the version, the number of runs, the last run, the outputs (outputs.go)
//	files    name → entry; names are absolute (names.go)
//	inodes   inode, hash of the name → name
//	contents hash of the stem, key of the place ... → name, or former entry (index.go)
//	former   hash of the stem, hash of the name, number → entry
//	messages hash of the name, number of a piece → identities of the file's messages (messages.go)
//	gone     name of a file that is gone → since when
//	batches  number → hashes of URLs that were printed since they were merged with urls
//	urls     first two bytes of hashes → the other eight of each, in order
//
// Each value has a checksum, which depends on its key too. When a state is opened, all its pages are
// checked before bbolt reads them (pages.go): no damage leads bbolt astray, and no entry is missed
// because the way to it is damaged.
//
// The file is locked before anything in it is read, and while it is open; FILE.pid has the number of
// the process. After a run that has changed it, a copy is made: FILE.bak. If FILE is a link, these
// are beside the file that it leads to. They are made without following links and without writing
// into a file that exists.
package state
