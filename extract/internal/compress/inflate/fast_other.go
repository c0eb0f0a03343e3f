//go:build !(amd64 || arm64) || safe

package inflate

// fast is fastSafe on processors whose byte order or alignment may differ, and with the build tag
// safe.
func (d *decoder) fast(b []byte) (used int, why loopEnd) { return d.fastSafe(b) }
