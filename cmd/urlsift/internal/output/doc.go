// Package output writes results to standard output and messages to standard error.
//
//	out := output.New(output.Whole(os.Stdout, ends), output.Patient{File: os.Stderr}, terminal)
//	for r, err := range x.Run(ctx, sources) {
//		if err != nil {
//			out.Message(err.Error()) // at once; removes the progress bar first
//			continue
//		}
//		if out.Print(printer.Append, r) != nil { // after 20 ms, or when 64 KiB wait
//			break
//		}
//	}
//	err := out.Close()
//
// # Limits
//
// At most [BufferSize] bytes wait, unless one record is longer. After the first error of
// standard output nothing more is written to it.
package output
