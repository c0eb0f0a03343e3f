// Package process has what the command needs of its process: the number of its file
// descriptors, and the signals that end it.
//
//	workers, err := process.Fewer(workers) // at most as many as there are descriptors for
//	status := process.Attend(out, work)    // 0, or the exit status for a signal
package process
