//go:build !(amd64 || arm64) || safe

package inflate

// fast is fastSafe on processors with another byte order or aligned words, and with the
// build tag safe.
func (d *decoder) fast(b []byte) (used int, why loopEnd) { return d.fastSafe(b) }
