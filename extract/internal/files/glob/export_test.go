package glob

import "github.com/bmatcuk/doublestar/v4"

func valid(pattern string) bool { return doublestar.ValidatePattern(pattern) }
