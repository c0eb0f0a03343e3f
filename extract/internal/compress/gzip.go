//go:build !klauspost

package compress

import "github.com/urlsift/urlsift/extract/internal/compress/inflate"

// A gzipReader decompresses a member of gzip. With the build tag klauspost it is the reader of
// github.com/klauspost/compress, to compare the two.
type gzipReader = inflate.Gzip
