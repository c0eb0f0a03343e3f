//go:build !(amd64 || arm64) || safe

package inflate

// fast is fastSafe where bytes have another order, where words must be aligned, and with the
// build tag safe.
func (d *decoder) fast(b []byte) (used int, why end) { return d.fastSafe(b) }
