// Package licenses has the notices of what the command contains: of the modules that it is built of, of Go,
// and of data.
package licenses

import _ "embed"

// Text is the notices, with a heading for each. A test writes it from the modules:
//
//	go test ./cmd/urlsift/internal/licenses -update
//
//go:embed notices.txt
var Text string
