// Package follow has the parts of a run that continues as files grow: it waits for changes, it
// keeps given files open that are renamed, and it reports an error once.
//
//	w := follow.New(known)
//	defer w.Close()
//	for {
//		...                                    // read, and call WatchGiven and WatchWalked
//		changes, ok := w.Wait(ctx, pause, next) // Changes, or at the time next all
//	}
//
// Notifications come from the system where it has them for folders: inotify of Linux, and
// Windows. They say only where to look. A file system of a network sends none, queues
// overflow, and a folder may get another name; so all files are examined from time to time
// too.
package follow
