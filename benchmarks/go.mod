module github.com/urlsift/urlsift/benchmarks

go 1.25.0

replace github.com/urlsift/urlsift => ../

tool mvdan.cc/xurls/v2/cmd/xurls

require (
	github.com/dsnet/compress v0.0.1
	github.com/emersion/go-message v0.18.2
	github.com/klauspost/compress v1.20.4
	github.com/pierrec/lz4/v4 v4.1.33
	github.com/ulikunitz/xz v0.5.17
	github.com/urlsift/urlsift v0.0.0-00010101000000-000000000000
)

require (
	github.com/bmatcuk/doublestar/v4 v4.10.4 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	golang.org/x/mod v0.38.0 // indirect
	golang.org/x/net v0.58.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.41.0 // indirect
	mvdan.cc/xurls/v2 v2.6.0 // indirect
)
