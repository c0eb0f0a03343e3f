//go:build !linux

package count

func createTemp(dir string) (file, error) { return createNamed(dir) }
