package redact_test

import (
	"fmt"

	"github.com/urlsift/urlsift/extract/internal/redact"
)

func ExampleRedactor() {
	var r redact.Redactor
	line, found := r.Append(nil, []byte("see ftp://u:secret@h/ and http://h/"))
	fmt.Printf("%s (%d)\n", line, found.Count)
	// Output: see ftp://u:***@h/ and http://h/ (1)
}
