package flags

import (
	"encoding"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/counts"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/filter"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/messages"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/printer"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/progress"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/refs"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/sources"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/state"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/stats"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/tally"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// Options are what the command line requests. The table in table.go says which flag sets
// which field. Nothing else writes here, and after parsing nothing reads the command
// line.
type Options struct {
	Task    Task
	Extract extract.Options
	Sources sources.Options
	Paths   []string // as given, or references; none means standard input

	Print    printer.Options
	Refs     refs.Options
	Filter   filter.Options
	Messages messages.Options
	Tally    tally.Options
	counts.Options
	Color     progress.When
	Hyperlink bool
	Output    string // the file that results are written to; "" is standard output
	Quiet     bool   // nothing is printed, and the first URL ends the run
	State     state.Options
	settled   bool   // State.Settle was given
	Follow    bool   // go on as files grow
	Forget    string // a glob of files that the state is to forget
	Progress  progress.When
	Stats     stats.Form
}

// setFields parses the names of fields, separated by commas.
func setFields(o *Options, value string) (err error) {
	o.Print.Fields, err = record.Select(strings.Split(value, ",")...)
	return err
}

// These functions make setters. A field is given by a function that returns its address
// in some Options, so that the table can exist before any Options do.

// A setter writes the value of one flag into its field. For a flag without a value, that
// is "true" or "false".
type setter func(o *Options, value string) error

// truth returns the setter of a bool.
func truth(field func(*Options) *bool) setter {
	return func(o *Options, value string) (err error) {
		*field(o), err = parseBool(value)
		return err
	}
}

// parseBool parses the value of a flag that needs none, in Go's spellings.
func parseBool(value string) (bool, error) {
	b, err := strconv.ParseBool(value)
	if err != nil {
		return false, fmt.Errorf("%q is neither true nor false", value)
	}
	return b, nil
}

// piece returns the setter of one bit of the place.
func piece(p printer.Place) setter {
	return func(o *Options, value string) error {
		on, err := parseBool(value)
		if o.Print.Place &^= p; on {
			o.Print.Place |= p
		}
		return err
	}
}

// named returns the setter of a field that parses its own names, and whose error is the
// message. In this way the command fills options of packages that it does not import.
func named(field func(*Options) encoding.TextUnmarshaler) setter {
	return func(o *Options, value string) error {
		return field(o).UnmarshalText([]byte(value))
	}
}

// extra returns the setter of one of the extras. They can be added one by one, but not
// removed: =false is the same as no flag.
func extra(name string) setter {
	return func(o *Options, value string) error {
		on, err := parseBool(value)
		if err != nil || !on {
			return err
		}
		return o.Extract.Delimit.Extras.UnmarshalText([]byte(name))
	}
}

// setBase parses the base. Its message never has a password, whatever the other flags
// are. The base of resolve is parsed later, since a later flag may select its grammar.
func setBase(o *Options, value string) error {
	if o.Refs.Base = value; o.Task == Resolve || o.Task == Relativize {
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

// number returns the setter of a number.
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

// width sets the width of lines. Fewer bytes hold nothing.
func width(o *Options, value string) error {
	if err := number(func(o *Options) *int { return &o.Refs.Layout.Width })(o, value); err != nil {
		return err
	}
	if o.Refs.Layout.Width < leastWidth {
		return fmt.Errorf("lines have at least %d bytes", leastWidth)
	}
	return nil
}

const leastWidth = 8

// setQuote sets the quote prefix. It is one that a reader removes, so that references can be
// broken behind it.
func setQuote(o *Options, value string) error {
	if !refs.IsQuote(value) {
		return errors.New("this is no quote prefix, such as '> '")
	}
	o.Refs.Layout.Quote = value
	return nil
}

// setDepth sets the maximum depth of both kinds of nesting.
func setDepth(o *Options, value string) error {
	limits := &o.Extract.Limits
	err := number(func(*Options) *int { return &limits.Depth })(o, value)
	limits.Nesting = limits.Depth
	return err
}

// size returns the setter of a number of bytes.
func size(field func(*Options) *int64) setter {
	return func(o *Options, value string) (err error) {
		*field(o), err = parseSize(value)
		return err
	}
}

// parseSize parses a number that is not negative and may end with K, M, G or T, in any
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

// list returns the setter of a list. Each use of the flag adds the names in its value,
// which are separated by commas.
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

// globs returns the setter of a list of globs. A glob may contain commas.
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

// lists returns the setter of the lists of paths. end follows each path in them.
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

// setState sets the file of the state.
func setState(o *Options, value string) error {
	if value == "" {
		return errors.New("the name is empty")
	}
	o.State.Path = value
	return nil
}

// setSettle sets how long a file has to rest.
func setSettle(o *Options, value string) (err error) {
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 {
		return errors.New("this is no duration, such as 90s or 5m")
	}
	o.State.Settle, o.settled = d, true
	return nil
}

// setForget sets the glob of files to forget.
func setForget(o *Options, value string) error {
	if o.Forget = value; value == "" {
		return errors.New("the glob is empty")
	}
	return nil
}

// setBaseMap reads a map of the URLs by which sources were retrieved.
func setBaseMap(o *Options, value string) (err error) {
	o.Sources.Bases, err = sources.ReadBaseMap(value)
	return err
}

// setSourceName sets the name of standard input.
func setSourceName(o *Options, value string) error {
	if value == "" {
		return errors.New("the name is empty")
	}
	o.Sources.Name = value
	return nil
}

// setBy adds keys to those that references are counted by.
func setBy(o *Options, value string) (err error) {
	o.Tally.By, err = tally.AddKeys(o.Tally.By, value)
	return err
}

// Settle checks conditions that involve several flags. Package extract reports by itself
// what it cannot do with its options.
func (o *Options) Settle() error {
	if (o.Count || o.List) && o.Print.Format != output.Text {
		return fmt.Errorf("--count and --files-with-matches write text: --format %s has no place for them", o.Print.Format)
	}
	if !o.settled {
		o.State.Settle = state.DefaultSettle
	}
	if err := o.checkFollow(); err != nil {
		return err
	}
	if o.State.Path != "" && (o.Count || o.List || o.Most != 0 || o.Quiet) {
		return errors.New("--state prints what is new in each input: it has no place for --count, --files-with-matches, --max-count and --quiet")
	}
	o.Extract.Subjects = o.Print.HasField("subject") || o.Print.HasField("from")
	o.Extract.Refused = o.Extract.Refused || o.Filter.OnlyRefused
	o.Extract.LogTimes = o.Extract.LogTimes || o.Task&(Count|Report) != 0
	o.Extract.Refused = o.Extract.Refused || o.Task == Report
	o.Messages.Quiet = o.Quiet
	o.Sources.Paths = o.Paths
	o.shareRefs()
	return nil
}

// checkFollow checks the flags of a run that follows files.
func (o *Options) checkFollow() error {
	if !o.Follow {
		return nil
	}
	if o.Count || o.List {
		return errors.New("--tail goes on until it is interrupted: --count and --files-with-matches print when an input has ended")
	}
	named := sources.Options{Paths: o.Paths, Lists: o.Sources.Lists}
	if named.Stdin() {
		return errors.New("--tail follows files and folders, and not standard input, which is read as it comes without it")
	}
	o.State.Following = true
	o.Progress = progress.Never
	return nil
}

// shareRefs copies flags of the main command to the options of the subcommands for
// references.
func (o *Options) shareRefs() {
	r, x := &o.Refs, &o.Extract
	r.Do = refCommands[o.Task]
	r.Refs = o.Paths
	r.Grammar, r.Excess, r.Lax = x.Grammar, x.Excess, x.Lax
	r.Format, r.Redact, r.Guard = o.Print.Format, o.Print.Redact, o.Print.Guard
}

// refCommands maps tasks to the commands of package refs.
var refCommands = map[Task]refs.Command{Parse: refs.Parse, Resolve: refs.Resolve, Normalize: refs.Normalize,
	Relativize: refs.Relativize, Wrap: refs.Wrap, Build: refs.Build}
