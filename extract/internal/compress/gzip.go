package compress

import "github.com/urlsift/urlsift/extract/internal/compress/inflate"

// A gzipReader decompresses a member of gzip.
type gzipReader = inflate.Gzip
