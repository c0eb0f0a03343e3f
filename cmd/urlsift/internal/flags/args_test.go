package flags

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestArrange checks that the position of a flag does not matter. The expected results are command
// lines as Arrange writes them.
func TestArrange(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("man", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"", "--"},
		{"a.txt", "-- a.txt"},
		{"-", "-- -"},
		{"--", "--"},
		{"-- -", "-- -"},
		{"a.txt --format jsonl b.txt -n", "--format=jsonl --line-number=true -- a.txt b.txt"},
		{"a.txt --format=jsonl -n b.txt", "--format=jsonl --line-number=true -- a.txt b.txt"},
		{"-nH a", "--line-number=true --with-filename=true -- a"},
		{"-j4 a", "--jobs=4 -- a"},
		{"-j 4 a", "--jobs=4 -- a"},
		{"-j=4 a", "--jobs=4 -- a"},
		{"a -nj4 b", "--line-number=true --jobs=4 -- a b"},
		{"a -nj 4 b", "--line-number=true --jobs=4 -- a b"},
		{"-0 a", "--null=true -- a"},
		{"-c0l", "--count=true --null=true --files-with-matches=true --"},
		{"- -c -", "--count=true -- - -"},
		{"a -- -n --count b", "-- a -n --count b"},
		{"-n -- -n", "--line-number=true -- -n"},
		{"-- -- a", "-- -- a"},

		// A value is a value, whatever it looks like.
		{"--host -x a", "--host=-x -- a"},
		{"--host --", "--host=-- --"},
		{"--base - a", "--base=- -- a"},
		{"--host= a", "--host= -- a"},
		{"--host a=b c", "--host=a=b -- c"},
		{"-j -4", "--jobs=-4 --"},

		// The names of subcommands are paths after other paths and after "--", and after flags if
		// there is such a file.
		{"a man", "-- a man"},
		{"a count", "-- a count"},
		{"-n man count", "--line-number=true -- man count"},
		{"-n -- count", "--line-number=true -- count"},
		{"-n ./count", "--line-number=true -- ./count"},
		{"-o count a", "--output=count -- a"},
		{"--help count", "--help=true -- count"},
		{"--count=false a", "--count=false -- a"},
	} {
		got, err := Find.Arrange(strings.Fields(c.args))
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
		} else if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s\nis  %s\nnot %s", c.args, s, c.want)
		}
	}
}

// TestArrangeRefuses checks the messages for wrong command lines.
func TestArrangeRefuses(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-F count .", "no file is called count; the subcommand has to be the first word: urlsift count"},
		{"-n report a", "no file is called report; the subcommand has to be the first word: urlsift report"},
		{"--coutn", "unknown flag --coutn; did you mean --count?"},
		{"a --uniq", "unknown flag --uniq; did you mean --unique?"},
		{"--json", "unknown flag --json; did you mean --format jsonl?"},
		{"--csv a", "unknown flag --csv; did you mean --format csv?"},
		{"-format jsonl", "unknown flag -format; did you mean --format?"},
		{"-format=jsonl", "unknown flag -format=jsonl; did you mean --format?"},
		{"-line-number", "unknown flag -line-number; did you mean --line-number?"},
		{"-count a", "-count: did you mean --count? (for -c -o unt, write them apart)"},
		{"-count=false a", "-count: did you mean --count? (for -c -o unt=false, write them apart)"},
		{"-only-refused", "-only-refused: did you mean --only-refused? (for -o nly-refused, write them apart)"},
		{"-null", "-null: did you mean --null? (for -n -u -l -l, write them apart)"},
		{"--lin", "unknown flag --lin; did you mean --line-number?"},
		{"--line", "unknown flag --line; did you mean --line-number?"},
		{"--warning", "unknown flag --warning; did you mean --warnings?"},
		{"--subject", "unknown flag --subject; did you mean --fields subject?"},
		{"--by host x", "--by belongs to urlsift count"},
		{"--width 3", "--width belongs to urlsift wrap"},
		{"-r d", "folders are always searched; there is no -r"},
		{"-nR d", "folders are always searched; there is no -R"},
		{"-Rn d", "folders are always searched; there is no -R"},
		{"--recursive d", "folders are always searched; there is no --recursive"},
		{"-Z", "unknown flag -Z; urlsift --help lists the flags"},
		{"-nZ", "unknown flag -Z in -nZ"},
		{"-nä", "unknown flag -ä in -nä"},
		{"--xyzzy", "unknown flag --xyzzy; urlsift --help lists the flags"},
		{"---", "unknown flag ---; urlsift --help lists the flags"},
		{"--=x", "unknown flag --; urlsift --help lists the flags"},
		{"--" + strings.Repeat("a", 1000), "unknown flag --" + strings.Repeat("a", 1000) + "; urlsift --help lists the flags"},
		{"a --format", "--format wants a value: one of text, jsonl, csv, tsv"},
		{"-nj", "--jobs wants a value: --jobs N"},
	} {
		_, err := Find.Arrange(strings.Fields(c.args))
		var e *UsageError
		if !errors.As(err, &e) || e.Error() != c.want {
			t.Errorf("%s: %v, not %s", c.args, err, c.want)
		}
	}
}

// TestOtherTask checks the messages for flags that only other subcommands accept.
func TestOtherTask(t *testing.T) {
	for _, c := range []struct {
		task       Task
		args, want string
	}{
		{Count, "-n", "urlsift count has no flag -n; urlsift count --help lists the flags"},
		{Count, "-0n", "urlsift count has no flag -n; urlsift count --help lists the flags"},
		{Count, "--unique", "urlsift count has no flag --unique; urlsift count --help lists the flags"},
		{Count, "-r d", "folders are always searched; there is no -r"},
		{Parse, "-r d", "unknown flag -r; urlsift parse --help lists the flags"},
		{Find, "--typed", "--typed belongs to urlsift parse, resolve, normalize, equal, relativize or wrap"},
	} {
		_, err := c.task.Arrange(strings.Fields(c.args))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s %s: %v, not %s", c.task.command(), c.args, err, c.want)
		}
	}
}

// TestTable checks the properties of the table on which parser, help, man page and completions
// rely.
func TestTable(t *testing.T) {
	for i, f := range table {
		for _, before := range table[:i] {
			for task := Find; task <= Check; task <<= 1 {
				if f.serves(task) && before.serves(task) && (f.long == before.long || f.short != 0 && f.short == before.short) {
					t.Errorf("--%s: a name is there twice", f.long)
				}
			}
		}
		if !slices.Contains(groups, f.group) || f.help == "" || f.set == nil != (f.long == "help" || f.long == "version") || strings.HasSuffix(f.help, ".") {
			t.Errorf("--%s: the row is not complete", f.long)
		}
		if f.arg == "" && f.words != nil {
			t.Errorf("--%s: takes no value and lists some", f.long)
		}
	}
}

// TestWords checks that every value that the table offers is accepted.
func TestWords(t *testing.T) {
	for _, f := range table {
		for _, w := range f.words {
			if err := f.set(new(Options), w); err != nil {
				t.Errorf("--%s %s: %v", f.long, w, err)
			}
		}
		if f.words != nil && f.set(new(Options), "xyzzy") == nil {
			t.Errorf("--%s takes xyzzy", f.long)
		}
	}
}

// TestLimitsHaveFlags checks that each limit of package extract has a flag that changes it, and
// that messages name this flag.
func TestLimitsHaveFlags(t *testing.T) {
	for _, limit := range []string{"Depth", "Nesting", "Size", "Ratio", "Joined", "Window"} {
		if flag := ForLimit(limit); !strings.HasPrefix(flag, "--limit ") {
			t.Errorf("%s: %q", limit, flag)
		}
	}
	if flag := ForLimit("Other"); flag != "" {
		t.Errorf("%q for what is no limit", flag)
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
	}{{"0", 0}, {"17", 17}, {"8K", 8192}, {"8k", 8192}, {"1M", 1 << 20}, {"3G", 3 << 30}, {"1T", 1 << 40}} {
		if n, err := parseSize(c.text); n != c.want || err != nil {
			t.Errorf("%s is %d, %v", c.text, n, err)
		}
	}
	for _, text := range []string{"", "K", "-1", "1.5", "1KK", "x", "9999999T", "99999999999999999999"} {
		if n, err := parseSize(text); err == nil {
			t.Errorf("%q is taken for %d", text, n)
		}
	}
}

// FuzzArrange checks that no argument is lost, and that arranging twice changes nothing.
func FuzzArrange(f *testing.F) {
	f.Add("a.txt\n-nj4\n--format\njsonl\n--\n-c")
	f.Fuzz(func(t *testing.T, text string) {
		once, err := Find.Arrange(strings.Split(text, "\n"))
		if err != nil {
			return
		}
		twice, err := Find.Arrange(once)
		if err != nil || !slices.Equal(once, twice) {
			t.Errorf("%q becomes %q, %v", once, twice, err)
		}
	})
}
