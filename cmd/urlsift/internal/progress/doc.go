// Package progress shows on standard error how far a run has come.
//
//	p := progress.New(progress.Auto, out, x) // of an extract.Extractor, x
//	p.Start(ctx, sources)                    // a second walk adds up their sizes
//	for r, err := range x.Run(ctx, sources) {
//		...
//	}
//	p.Stop(true) // the run is complete
//
// The bar is drawn ten times a second on a terminal. Otherwise there is one line each
// second, if a bar was requested. SIGUSR1 requests one line (SIGINFO does too, where it
// exists).
package progress
