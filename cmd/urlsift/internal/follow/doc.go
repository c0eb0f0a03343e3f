// Package follow has the parts of a run that continues as files grow: it waits for changes,
// keeps files open that are renamed, and reports each error once.
//
//	w := follow.New(known)
//	defer w.Close()
//	for {
//		...                                    // read, and call WatchGiven and WatchWalked
//		changes, ok := w.Wait(ctx, pause, next) // what has changed; at the time next, all
//	}
//
// Notifications come from the system where it has them for folders: inotify of Linux, and
// Windows. They only say where to look. Network file systems send none, queues overflow,
// and folders are renamed, so all files are examined from time to time too.
package follow
