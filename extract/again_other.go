//go:build !unix

package extract

import "time"

func waitReadable(_ int, most time.Duration) { time.Sleep(most) }
