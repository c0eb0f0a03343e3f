package count

// DefaultMemory is the memory of a Counter for which Options set none, in bytes.
const DefaultMemory = 256 << 20

// Options bound the memory and set the folder of a Counter.
type Options struct {
	// Memory is how many bytes the table and its sorting may take; 0 means DefaultMemory.
	// A single key may take more. Merging takes some 150 KiB for each run in addition.
	Memory int64

	// Dir is the folder of temporary files; "" means os.TempDir.
	Dir string

	create func(dir string) (file, error) // instead of createTemp, in tests
}
