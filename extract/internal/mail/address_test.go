package mail

import (
	"net/mail"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for _, c := range []struct{ field, want string }{
		{"joe@example.org", "joe@example.org"},
		{"Joe <joe@example.org>", "joe@example.org"},
		{"joe@example.org (Joe Doe)", "joe@example.org"},
		{"(Joe) joe@example.org", "joe@example.org"},
		{`"Doe, Joe" <joe@example.org>, ann@example.com`, "joe@example.org ann@example.com"},
		{`"evil@example.net" <joe@example.org>`, "joe@example.org"},
		{"evil@example.net <joe@example.org>", "joe@example.org"},
		{"=?utf-8?q?evil=40example=2Enet=2C?= <joe@example.org>", "joe@example.org"},
		{"friends: a@x.example, B <b@x.example>;, c@x.example", "a@x.example b@x.example c@x.example"},
		{"<@a.example,@b.example:joe@c.example>", "joe@c.example"},
		{"Joe Doe joe @ example . org", "joe@example.org"},
		{"Joe (a (nested) comment, with b@x) <joe@example.org>", "joe@example.org"},
		{`"joe doe"@example.org, ann@example.com`, "ann@example.com"},
		{`"joe,doe"@example.org`, `"joe,doe"@example.org`},
		{"Joe <joe@example.org", "joe@example.org"},
		{"joe at example.org", "joe@example.org"},
		{"joe.doe at example.org (Joe Doe)", "joe.doe@example.org"},
		{"joe at example.org, ann at example.com (Ann)", "joe@example.org ann@example.com"},
		{"Joe at Work <joe@example.org>", "joe@example.org"},
		{"meet me at example.org", ""},
		{"joe at home", ""},
		{"undisclosed-recipients:;", ""},
		{"@example.org, joe@, <>", ""},
		{"joe@müller.example", "joe@müller.example"},
		{`"Joe <joe@example.org>`, "joe@example.org"},
		{"(no end joe@example.org", ""},
		{"", ""},
	} {
		if got := string(new(addressScan).addresses(nil, []byte(c.field))); got != c.want {
			t.Errorf("%q: %q, want %q", c.field, got, c.want)
		}
	}
}

// FuzzAddresses compares addresses with net/mail, for fields that this parser accepts.
func FuzzAddresses(f *testing.F) {
	for _, seed := range []string{"Joe <joe@example.org>, ann@example.com (Ann)", `"a, b" <c@d>`, "g: a@b, c@d;", "a . b @ c", `"x y"@z, "q"@r`, "<@a:b@c>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		got := string(new(addressScan).addresses(nil, []byte(field)))
		list, err := mail.ParseAddressList(field)
		if err != nil || strings.ContainsAny(field, "\\\"\r\n[") || strings.Contains(field, "=?") {
			return // quotes are kept as written here, and decoded there
		}
		var want []string
		for _, a := range list {
			want = append(want, a.Address)
		}
		if got != strings.Join(want, " ") {
			t.Errorf("%q: %q, want %q", field, got, want)
		}
	})
}
