// Package output makes records of results, and writes them to standard output, and messages to standard error.
//
//	out := output.New(output.Whole(os.Stdout, ends), output.Patient{File: os.Stderr}, terminal)
//	p := output.NewPrinter(&o.Print, terminal)
//	for r, err := range x.Run(ctx, sources) {
//		if err != nil {
//			out.Message(err.Error()) // at once; removes the progress bar first
//			continue
//		}
//		if out.Print(p.Append, r) != nil { // after 20 ms, or when 64 KiB wait
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
