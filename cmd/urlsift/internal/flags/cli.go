package flags

import (
	"flag"

	"github.com/urfave/cli/v2"

	"github.com/urlsift/urlsift/extract"
)

// CLI returns the flags of t for the library that parses them. They write into o, and the
// error of a value into bad.
func (t Task) CLI(o *Options, bad *error) (all []cli.Flag) {
	for f := range t.flags {
		all = append(all, &flagValue{f, o, bad, [1]string{f.long}})
	}
	return all
}

// A flagValue is a flag as the library sees it: something that has a name, and can be
// set. It hands the values of one flag from the library to its setter. The library's own
// flags take their names apart, by a regular expression, each time that one is asked for
// its name, and each is for each: that took a fifth of the time of a run.
type flagValue struct {
	spec  *spec
	opts  *Options
	bad   *error
	names [1]string
}

// Apply adds the flag to set.
func (v *flagValue) Apply(set *flag.FlagSet) error {
	set.Var(v, v.spec.long, "")
	return nil
}

// Names returns the one name.
func (v *flagValue) Names() []string { return v.names[:] }

// IsSet returns false: nothing but an argument sets the flag, and that the library knows.
func (v *flagValue) IsSet() bool { return false }

// String returns nothing: the library would print it as a default in its help,
// which is not used.
func (v *flagValue) String() string { return "" }

// Set calls the setter. Its error is kept for the user, since the library puts
// words of its own around it.
func (v *flagValue) Set(value string) error {
	err := v.spec.set(v.opts, value)
	if err != nil {
		*v.bad = Misuse("--%s %s: %s", v.spec.long, extract.AppendRedacted(nil, []byte(value)), err)
	}
	return err
}
