package mail

import (
	"io"
	"testing"
)

// stalled returns one piece for each Read, and counts the Reads.
type stalled struct {
	pieces []string
	n      int
}

func (s *stalled) Read(p []byte) (int, error) {
	if s.n == len(s.pieces) {
		return 0, io.EOF
	}
	n := copy(p, s.pieces[s.n])
	s.n++
	return n, nil
}

// TestPrompt checks that complete text is returned before the source is read again.
func TestPrompt(t *testing.T) {
	for _, c := range []struct {
		f      Framing
		pieces []string
		want   []string // what each Read of the last part returns before the next piece is read
	}{
		{Single, []string{"Subject: x\n\na\n", "x", "c\n", "-"}, []string{"a\n", "x", "c\n", "-"}},
		{Mbox, []string{"From a@b\nSubject: x\n\na\n", "F", "ro", "m here\n", ">", "From\n"}, []string{"a\n", "", "", "From here\n", "", ">From\n"}},
		{Single, []string{"Content-Type: multipart/mixed; boundary=b\n\n--b\n\na\n", "-", "x\n", "--b", "c\n"}, []string{"a\n", "", "-x\n", "", "--bc\n"}},
		{Single, []string{"Content-Type: a/b\n\na\n", "b\r", "\n"}, []string{"a", "\nb", "\r\n"}},
	} {
		src := &stalled{pieces: c.pieces}
		var r Reader
		r.Reset(src, 0, c.f, 9, "")
		r.Next()
		p, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 100)
		for i, want := range c.want {
			if want == "" {
				continue
			}
			n, err := p.Body.Read(buf)
			if string(buf[:n]) != want || err != nil || src.n > i+1 {
				t.Errorf("%q: read %q %v after %d pieces, want %q after %d", c.pieces, buf[:n], err, src.n, want, i+1)
			}
		}
	}
}
