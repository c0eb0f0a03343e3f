// Package process holds what the command asks of its process: how many descriptors it has,
// and what ends it.
//
//	workers, err := process.Fewer(workers) // at most as many as there are descriptors for
//	status := process.Attend(out, work)    // 0, or what a signal makes the exit status
package process
