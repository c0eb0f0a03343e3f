package suffix

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"
)

// TestDomain has examples of each kind of rule.
func TestDomain(t *testing.T) {
	for _, c := range []struct{ host, want string }{
		{"", ""}, {"com", ""}, {"localhost", ""}, {".com", ""}, {"a..com", ""}, {"example.com.", "example.com"}, {"com.", ""},
		{"example.com", "example.com"}, {"a.b.example.com", "example.com"},
		{"co.uk", ""}, {"www.example.co.uk", "example.co.uk"},
		{"a.b.unknown", "b.unknown"}, {"host.example", "host.example"},
		{"kobe.jp", "kobe.jp"}, {"a.kobe.jp", ""}, {"b.a.kobe.jp", "b.a.kobe.jp"}, {"x.b.a.kobe.jp", "b.a.kobe.jp"},
		{"city.kobe.jp", "city.kobe.jp"}, {"www.city.kobe.jp", "city.kobe.jp"},
		{"www.ck", "www.ck"}, {"a.www.ck", "www.ck"}, {"b.ck", ""}, {"a.b.ck", "a.b.ck"},
		{"someone.github.io", "someone.github.io"}, {"x.someone.github.io", "someone.github.io"},
		{"www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"},
		{strings.Repeat("a.", 200) + "com", ""},
	} {
		if got := Domain([]byte(c.host)); string(got) != c.want {
			t.Errorf("%q: %q, want %q", c.host, got, c.want)
		}
	}
}

// TestLibrary compares with golang.org/x/net/publicsuffix for the domain of each rule and below it.
// The lists are of different months, and differ in some rules.
func TestLibrary(t *testing.T) {
	n, other := 0, 0
	for _, rule := range strings.Fields(rules) {
		rule = strings.TrimPrefix(strings.Replace(rule, "*", "w", 1), "!")
		for _, host := range []string{rule, "a." + rule, "b.a." + rule, "c.b.a." + rule} {
			want, err := publicsuffix.EffectiveTLDPlusOne(host)
			if err != nil {
				want = ""
			}
			n++
			if string(Domain([]byte(host))) != want {
				other++
			}
		}
	}
	if n < 30000 || other > n/25 {
		t.Errorf("%d of %d are not as the library has them", other, n)
	}
	t.Log(other, "of", n, "are not as the library has them")
}

var update = flag.Bool("update", false, "write filter.bin and lines.bin anew")

// TestMade checks that filter.bin and lines.bin were generated from the current rules.
func TestMade(t *testing.T) {
	set := make([]byte, 1<<filterBits/8)
	begins, begin := []byte(nil), 0
	for _, rule := range strings.Fields(rules) {
		begins = binary.LittleEndian.AppendUint32(begins, uint32(begin))
		begin += len(rule) + 1
		kind := uint32(0)
		if rest, ok := strings.CutPrefix(rule, "*."); ok {
			rule, kind = rest, wildcard
		} else if rest, ok := strings.CutPrefix(rule, "!"); ok {
			rule, kind = rest, exception
		}
		h := uint32(0)
		for i := len(rule) - 1; i >= 0; i-- {
			h = extend(h, rule[i])
		}
		at, bit := place(h + kind)
		set[at] |= 1 << bit
	}
	begins = binary.LittleEndian.AppendUint32(begins, uint32(begin))
	for name, made := range map[string]struct{ now, want string }{"filter.bin": {filter, string(set)}, "lines.bin": {lines, string(begins)}} {
		switch {
		case made.now == made.want:
		case *update:
			if err := os.WriteFile(name, []byte(made.want), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s is of other rules; write it anew: go test -run TestMade -update .", name)
		}
	}
	full := 0
	for _, b := range set {
		full += bits.OnesCount8(b)
	}
	if full < 9_000 || full > 11_000 {
		t.Errorf("%d bits of the filter are set", full)
	}
}

// TestAllocs checks that there is no allocation after the rules are loaded.
func TestAllocs(t *testing.T) {
	host := []byte("www.a-very-long-label-of-some-sort.example.co.uk")
	Domain(host)
	if n := testing.AllocsPerRun(100, func() { Domain(host) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDomain(b *testing.B) {
	host := []byte("www.example.co.uk")
	for b.Loop() {
		Domain(host)
	}
}

// TestDate compares Date with what the library says of its list.
func TestDate(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "publicsuffix", "table.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(table, []byte(" ("+Date+"T")) {
		t.Errorf("the list of golang.org/x/net is not of %s", Date)
	}
}
