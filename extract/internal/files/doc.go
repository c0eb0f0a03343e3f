// Package files finds, opens and reads files. It is fast for many small files.
//
//	for f := range (files.Walker{}).Walk("mail", "news") {
//		if f.Err != nil {
//			log.Print(f.Err)
//			continue
//		}
//		r, err := f.Open()
//		...
//		in := files.Reader{Stopped: stopped}
//		in.Reset(r)
//		_, err = io.Copy(w, &in) // waits for input, and reports a file that is cut
//	}
//
// A [Prefetcher] opens and reads a group of small files at once, and then returns them one
// by one:
//
//	ahead.Load(group, workers, stopped)
//	for _, f := range group {
//		r, err, ok := ahead.Take()
//		if !ok { // f is not prefetched
//			r, err = f.Open()
//		}
//		...
//	}
//
// A source that waits for its input, or changes while it is read, is read through a
// [Reader], which waits where there is no input yet and reports a file that has become
// shorter.
//
// # Words
//
//   - A file is an item that a walk yields: something to open, or the error why there is none.
//   - A walk is unsized if it does not ask for the sizes of files. It yields the files of a
//     directory in groups.
//   - A prefetched file is a file of a group that is opened, and if it is small read, before its
//     turn.
//   - A small file is one that is read through its descriptor, without an [os.File].
//   - An ignore file is a .gitignore or a .ignore. A list is a file with paths in it.
//
// # Limits
//
// A walk lists one directory at each depth at a time, and keeps each list until it has
// left the directory. A group has 64 files. A Prefetcher holds 192 KiB of text, and all Prefetchers
// of a run together have at most 512 files open, or a quarter of the process's limit. At most 1 MiB
// of an ignore file is read, and a path in a list has at most 64 KiB.
//
// # Errors
//
// If a walk cannot list or stat something, it yields a File with an [*Error] and continues. Open
// and Read return the errors of the system, as package os does.
//
// The package knows nothing of the contents of files, except ignore files and lists. What differs
// among systems is in package system below it.
package files
