package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestStateMailPrograms lets mutt and Dovecot rewrite a mailbox: they mark messages, and remove some. Only new
// messages may be printed.
func TestStateMailPrograms(t *testing.T) {
	need := func(t *testing.T, programs ...string) {
		for _, p := range programs {
			if _, err := exec.LookPath(p); err != nil {
				t.Skipf("SKIPPED: there is no %s, which apt-get install mutt dovecot-core bsdutils util-linux brings", p)
			}
		}
	}
	letters := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "From a%d@b.example Mon Nov 23 00:10:00 2026\nSubject: s%d\nFrom: a@b.example\nMessage-ID: <%d@b.example>\nDate: Mon, 23 Nov 2026 00:10:00 +0000\n\nhttp://m.example/%d\n%s\n", i, i, i, i, strings.Repeat("text\n", i))
		}
		return b.String()
	}
	// try reads a mailbox before and after the program has changed it, and once more with a new message.
	try := func(t *testing.T, dir string, changes ...string) {
		box := filepath.Join(dir, "box")
		write := func(flag int, text string) {
			f, err := os.OpenFile(box, flag|os.O_WRONLY|os.O_CREATE, 0o666)
			if err == nil {
				_, err = f.WriteString(text)
				_ = f.Close()
			}
			if err == nil {
				err = os.Chmod(box, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		expect := func(what, want string) {
			t.Helper()
			out, said, _ := stateRun(t, dir, "urlsift --state s --settle 0s box")
			if got := strings.Join(out, " "); got != want || said != "" {
				t.Fatalf("%s: printed %q, not %q; %s", what, got, want, said)
			}
		}
		write(0, letters(0, 12))
		if out, _, _ := stateRun(t, dir, "urlsift --state s --settle 0s box"); len(out) != 12 {
			t.Fatalf("printed %d URLs, not 12", len(out))
		}
		for i, change := range changes {
			was, _ := os.ReadFile(box)
			out, said, status := stateRun(t, dir, change)
			if now, _ := os.ReadFile(box); status != 0 || string(was) == string(now) {
				t.Fatalf("%s: status %d, or the mailbox has not changed: %s %s", change, status, out, said)
			}
			if i%2 == 0 {
				expect(change, "")
			}
			write(os.O_APPEND, letters(20+i, 21+i))
			expect(change, fmt.Sprint("http://m.example/", 20+i))
		}
	}
	t.Run("mutt", func(t *testing.T) {
		need(t, "mutt", "script")
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "rc"), []byte("set mbox_type=mbox quit=yes delete=yes move=no sleep_time=0 wait_key=no folder=. spoolfile=box\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		mutt := func(keys string) string {
			return `HOME=$PWD TERM=xterm timeout 30 script -qec "mutt -F rc -f box -e 'push \"` + keys + `<quit>\"'" /dev/null </dev/null >/dev/null`
		}
		try(t, dir, mutt("<first-entry><toggle-new>"), mutt("<first-entry><delete-message><last-entry><flag-message>"), mutt("<last-entry><delete-message>"), mutt("<first-entry><flag-message>"))
	})
	t.Run("dovecot", func(t *testing.T) {
		need(t, "doveadm", "setpriv")
		dir := t.TempDir()
		user, as := os.Getuid(), ""
		if user == 0 { // doveadm does not read mail as root
			user, as = 65534, "setpriv --reuid=65534 --regid=65534 --clear-groups "
		}
		for at := dir; len(at) > len(os.TempDir()); at = filepath.Dir(at) {
			_ = os.Chmod(at, 0o777)
		}
		config := fmt.Sprintf("base_dir=%[1]s/run\nstate_dir=%[1]s/run\nlog_path=%[1]s/log\nmail_location=mbox:%[1]s/mail:INBOX=%[1]s/box\nmail_home=%[1]s\nmail_uid=%[2]d\nmail_gid=%[2]d\nfirst_valid_uid=0\nfirst_valid_gid=0\nprotocols=\nssl=no\n", dir, user)
		if err := os.WriteFile(filepath.Join(dir, "conf"), []byte(config), 0o666); err != nil {
			t.Fatal(err)
		}
		doveadm := func(args string) string {
			return "USER=nobody HOME=$PWD " + as + "timeout 30 doveadm -c conf " + args + " 2>&1"
		}
		if _, _, status := stateRun(t, dir, doveadm("mailbox list")); status != 0 {
			t.Skip("SKIPPED: this version of doveadm does not run with the configuration of this test (2.3 does)")
		}
		try(t, dir, doveadm(`flags add '\Seen $Label' mailbox INBOX 2:5`), doveadm("expunge mailbox INBOX 7:9"), doveadm(`flags add '\Flagged NonJunk' mailbox INBOX all`), doveadm(`flags remove '\Seen' mailbox INBOX all`), doveadm("expunge mailbox INBOX 1"))
	})
}
