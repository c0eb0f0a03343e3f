package system

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// LockedBy returns the process that has locked the file at path, under whatever name, or 0
// if the system does not say it.
func LockedBy(path string) int {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return 0
	}
	f, err := os.Open("/proc/locks")
	if err != nil {
		return 0
	}
	defer f.Close()
	want := fmt.Sprintf("%02x:%02x:%d", unix.Major(uint64(st.Dev)), unix.Minor(uint64(st.Dev)), st.Ino)
	// 1: FLOCK  ADVISORY  WRITE 4711 fe:01:1234 0 EOF; of a process that waits, "->" follows 1:
	for lines := bufio.NewScanner(f); lines.Scan(); {
		part := strings.Fields(lines.Text())
		if len(part) > 5 && part[1] == "FLOCK" && part[5] == want {
			pid, _ := strconv.Atoi(part[4])
			return max(pid, 0) // a process in another container has no number here
		}
	}
	return 0
}
