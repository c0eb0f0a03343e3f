package flags

import (
	"encoding"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/filter"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/messages"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/printer"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/progress"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/refs"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/sources"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/stats"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// Options are what the command line asks for. The table in table.go says which
// flag fills which field; nothing else writes here, and behind the parsing
// nothing reads the command line.
type Options struct {
	Task    Task
	Extract extract.Options
	Sources sources.Options
	Paths   []string // as given, or references; none means standard input

	Print    printer.Options
	Refs     refs.Options
	Filter   filter.Options
	Messages messages.Options
	Count    bool   // a line per source: how many
	List     bool   // a line per source that has any
	Unique   bool   // each URL once in the whole run
	Output   string // the file that results are written to; "" is standard output
	Most     int64  // URLs of a source that are printed; 0 means all, -1 none
	Quiet    bool   // nothing is printed, and the first URL ends the run
	Progress progress.When
	Stats    stats.Form
}

// setFields reads the names of fields, separated by commas.
func setFields(o *Options, value string) (err error) {
	o.Print.Fields, err = record.Select(strings.Split(value, ",")...)
	return err
}

// Below are the ways to make a setter of a field. A field is given by a function
// that finds it in any options, so that the table can stand before there are any.

// A setter writes the value of one flag into its field. The value of a flag
// that takes none is "true" or "false".
type setter func(o *Options, value string) error

// truth returns the setter of a field that is true or false.
func truth(field func(*Options) *bool) setter {
	return func(o *Options, value string) (err error) {
		*field(o), err = parseBool(value)
		return err
	}
}

// parseBool reads the value of a flag that needs none, in Go's spellings.
func parseBool(value string) (bool, error) {
	b, err := strconv.ParseBool(value)
	if err != nil {
		return false, fmt.Errorf("%q is neither true nor false", value)
	}
	return b, nil
}

// piece returns the setter of one piece of the place.
func piece(p printer.Place) setter {
	return func(o *Options, value string) error {
		on, err := parseBool(value)
		if o.Print.Place &^= p; on {
			o.Print.Place |= p
		}
		return err
	}
}

// named returns the setter of a field that reads its own names, and complains of
// others in its own words. This is how the command fills options of packages that
// it does not import.
func named(field func(*Options) encoding.TextUnmarshaler) setter {
	return func(o *Options, value string) error {
		return field(o).UnmarshalText([]byte(value))
	}
}

// extra returns the setter of one of the habits that are looked for on request.
// They can be added one by one, not taken away: =false is the same as no flag.
func extra(name string) setter {
	return func(o *Options, value string) error {
		on, err := parseBool(value)
		if err != nil || !on {
			return err
		}
		return o.Extract.Delimit.Extras.UnmarshalText([]byte(name))
	}
}

// setBase reads the base. Its message shows no password, whatever else was asked.
// That of resolve is read later: it may be one by a grammar that is named behind
// it.
func setBase(o *Options, value string) error {
	if o.Refs.Base = value; o.Task == Resolve {
		return nil
	}
	base := &o.Extract.Base
	if err := base.UnmarshalText([]byte(value)); err != nil {
		return errors.New((&extract.Result{Err: err}).Fault(true))
	}
	if !base.IsAbs() {
		return errors.New("the base has no scheme")
	}
	return nil
}

// number returns the setter of a field that counts something.
func number(field func(*Options) *int) setter {
	return func(o *Options, value string) error {
		n, err := parseSize(value)
		if int64(int(n)) != n {
			return fmt.Errorf("%s is too large", value)
		}
		*field(o) = int(n)
		return err
	}
}

// setDepth reads how much may lie in one another, of either kind.
func setDepth(o *Options, value string) error {
	limits := &o.Extract.Limits
	err := number(func(*Options) *int { return &limits.Depth })(o, value)
	limits.Nesting = limits.Depth
	return err
}

// size returns the setter of a field that counts bytes.
func size(field func(*Options) *int64) setter {
	return func(o *Options, value string) (err error) {
		*field(o), err = parseSize(value)
		return err
	}
}

// parseSize reads a number, not below zero, that may end in K, M, G or T, in any
// case, for powers of 1024.
func parseSize(value string) (int64, error) {
	digits, shift := value, 0
	if n := len(value); n > 0 {
		if i := strings.IndexByte("KMGT", value[n-1]&^0x20); i >= 0 {
			digits, shift = value[:n-1], 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is no number", value)
	case n < 0:
		return 0, fmt.Errorf("%s is less than nothing", value)
	case n<<shift>>shift != n:
		return 0, fmt.Errorf("%s is too large", value)
	}
	return n << shift, nil
}

// list returns the setter of a list: each use of the flag adds the names that
// its value holds, separated by commas.
func list(add func(o *Options, name string)) setter {
	return func(o *Options, value string) error {
		for name := range strings.SplitSeq(value, ",") {
			if name == "" {
				return fmt.Errorf("%q has an empty name", value)
			}
			add(o, name)
		}
		return nil
	}
}

// globs returns the setter of a list of globs. They may hold commas.
func globs(field func(*extract.Walker) *[]string) setter {
	return func(o *Options, value string) error {
		var alone extract.Walker
		*field(&alone) = []string{value}
		if alone.Check() != nil {
			return errors.New("this is no glob: a bracket or brace is not closed, or nothing follows a backslash or a slash")
		}
		list := field(&o.Sources.Walk)
		*list = append(*list, value)
		return nil
	}
}

// lists returns the setter of the lists of paths, each of which is followed by end.
func lists(end byte) setter {
	return func(o *Options, value string) error {
		if value == "" {
			return errors.New("the name of the list is empty")
		}
		o.Sources.Lists = append(o.Sources.Lists, sources.List{Path: value, End: end})
		return nil
	}
}

// setMost sets how many URLs of each source are printed.
func setMost(o *Options, value string) (err error) {
	if o.Most, err = parseSize(value); o.Most == 0 {
		o.Most = -1
	}
	return err
}

// setOutput sets the file that results are written to.
func setOutput(o *Options, value string) error {
	if value == "" {
		return errors.New("the name is empty")
	}
	o.Output = value
	return nil
}

// setSourceName sets the name of standard input.
func setSourceName(o *Options, value string) error {
	if value == "" {
		return errors.New("the name is empty")
	}
	o.Sources.Name = value
	return nil
}

// Settle checks what no flag can know alone. What package extract cannot do with
// its options it says itself.
func (o *Options) Settle() error {
	if (o.Count || o.List) && o.Print.Format != output.Text {
		return fmt.Errorf("--count and --files-with-matches write text: --format %s has no place for them", o.Print.Format)
	}
	o.Extract.Subjects = o.Print.HasField("subject") || o.Print.HasField("from")
	o.Extract.Refused = o.Extract.Refused || o.Filter.OnlyRefused
	o.Messages.Quiet = o.Quiet
	o.Sources.Paths = o.Paths
	o.shareRefs()
	return nil
}

// shareRefs gives the subcommands for references what flags of theirs and of the main job
// have set.
func (o *Options) shareRefs() {
	r, x := &o.Refs, &o.Extract
	r.Do = refCommands[o.Task]
	r.Refs = o.Paths
	r.Grammar, r.Excess, r.Lax = x.Grammar, x.Excess, x.Lax
	r.Format, r.Redact, r.Guard = o.Print.Format, o.Print.Redact, o.Print.Guard
}

// refCommands has what package refs calls the tasks that answer.
var refCommands = map[Task]refs.Command{Parse: refs.Parse, Resolve: refs.Resolve, Normalize: refs.Normalize}
