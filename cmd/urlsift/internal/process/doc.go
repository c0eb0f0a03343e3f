// Package process has what the command needs of its process: the number of its file
// descriptors, and the signals that end it.
//
//	workers, err := process.Fewer(workers) // fewer if there are not enough descriptors
//	status := process.Attend(out, work)    // 0, or the exit status for a signal
package process
