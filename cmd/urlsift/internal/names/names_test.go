package names

import "testing"

type colour uint8

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name  string
		want  colour
		error string
	}{
		{"red", 0, ""},
		{"blue", 2, ""},
		{"Blue", 9, `no colour is called "Blue" (there are red, green, blue)`},
		{"", 9, `no colour is called "" (there are red, green, blue)`},
	} {
		got, message := colour(9), ""
		if err := Parse(&got, "colour", []byte(c.name), []string{"red", "green", "blue"}); err != nil {
			message = err.Error()
		}
		if got != c.want || message != c.error {
			t.Errorf("%q is %d, %q; want %d, %q", c.name, got, message, c.want, c.error)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"count", "coutn", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if n := Distance(c.a, c.b, 10); n != c.want {
			t.Errorf("from %q to %q it is %d, not %d", c.a, c.b, n, c.want)
		}
	}
}
