package state

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// holder says which process has the state at path open, if that is known: to the system, or
// by the file that the process has written.
func holder(path string) string {
	if pid := lockedBy(path); pid > 0 {
		return fmt.Sprintf(" (process %d)", pid)
	}
	b, err := os.ReadFile(target(path) + pidSuffix)
	if pid, wrong := strconv.Atoi(strings.TrimSpace(string(b))); err == nil && wrong == nil {
		return fmt.Sprintf(" (process %d)", pid)
	}
	return ""
}
