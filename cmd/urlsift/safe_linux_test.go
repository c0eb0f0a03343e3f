package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// terminal returns the two ends of a pseudo-terminal. The command writes to one end, the test reads
// from the other.
func terminal(t *testing.T) (screen, command *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	var number, locked int32
	raw, err := screen.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) {
		syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCSPTLCK, uintptr(unsafe.Pointer(&locked)))
		syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCGPTN, uintptr(unsafe.Pointer(&number)))
	})
	command, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { command.Close() })
	return screen, command
}

// ownOrders matches the command's own escape sequences: colours and links.
var ownOrders = regexp.MustCompile(`\x1b\[(35|32|36|31|0)m|\x1b\]8;;(file://[!-~]*)?\x1b\\`)

// shownBy returns the output of a command on a terminal.
func shownBy(t *testing.T, env string, args []string) []byte {
	t.Helper()
	screen, end := terminal(t)
	cmd := exec.Command("urlsift", args...)
	cmd.Env = append(os.Environ(), env)
	cmd.Stdout, cmd.Stderr = end, end
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end.Close()
	shown, _ := io.ReadAll(screen) // the error at the end only says that the other end is closed
	cmd.Wait()
	if len(shown) == 0 {
		t.Errorf("%s: nothing", args)
	}
	return bytes.ReplaceAll(shown, []byte("\r\n"), []byte("\n")) // the terminal adds '\r'
}

// TestOrderlyTerminal runs the whole command with a terminal as standard output and standard error.
// No control sequence of the input may reach it, in any format. A pipe gets names verbatim.
func TestOrderlyTerminal(t *testing.T) {
	all := strings.Join(orders, "x")
	paths := inputs(t, t.TempDir(), all)
	commands := [][]string{{"parse", "http://h/" + all}, {"normalize", "--format", "csv", all}, {"resolve", "--base", "http://a/", all, "x\r" + all}}
	for _, args := range runs {
		commands = append(commands, append(append(args[:len(args):len(args)], "--progress", "never"), paths...))
	}
	for _, args := range commands {
		orderly(t, fmt.Sprintf("%.60q", args), shownBy(t, "NO_COLOR=1", args))
	}
	for _, args := range commands[3:] { // with the command's own escape sequences; the input has one of these too
		shown := shownBy(t, "TERM=xterm", append([]string{"--hyperlink"}, args...))
		if bytes.Contains(shown, []byte("\x1b[31mx")) {
			t.Errorf("%.60q: an order of the input goes out in %.300q", args, shown)
		}
		orderly(t, fmt.Sprintf("%.60q", args), ownOrders.ReplaceAll(shown, nil))
	}
	out, _ := outputs(t, "", append([]string{"-l"}, paths...)...)
	if !bytes.Contains(out, []byte(all)) {
		t.Errorf("names go to a pipe as %q", out)
	}
}
