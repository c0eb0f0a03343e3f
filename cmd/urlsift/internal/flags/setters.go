package flags

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/refs"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/sources"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/tally"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

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

// prefixBit returns the setter of bits of the prefix: what is printed in front of a result.
func prefixBit(p output.Prefix) setter {
	return func(o *Options, value string) error {
		on, err := parseBool(value)
		if o.Print.Prefix &^= p; on {
			o.Print.Prefix |= p
		}
		return err
	}
}

// named returns the setter of a field that parses its own names. The message is the
// error of the field. In this way the command fills options of packages that it does
// not import.
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
		return errors.New(extract.RedactedError(err))
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

// width sets the width of lines, in bytes. A width below leastWidth has no room for a reference;
// 0 means that no line is broken.
func width(o *Options, value string) error {
	if err := number(func(o *Options) *int { return &o.Refs.Layout.Width })(o, value); err != nil {
		return err
	}
	switch w := &o.Refs.Layout.Width; {
	case *w == 0:
		*w = math.MaxInt32
	case *w < leastWidth:
		return fmt.Errorf("lines have at least %d bytes (0 breaks none)", leastWidth)
	}
	return nil
}

const leastWidth = 8

// setPrintFormat sets the format of the output.
func setPrintFormat(o *Options, value string) error {
	return o.Print.Format.UnmarshalText([]byte(value))
}

// setFormat sets the format of all inputs or, in the form FORMAT:GLOB, of those that match the glob.
func setFormat(o *Options, value string) error {
	name, glob, some := strings.Cut(value, ":")
	if !some {
		return o.Extract.Format.UnmarshalText([]byte(value))
	}
	var f extract.Format
	if err := f.UnmarshalText([]byte(name)); err != nil {
		return err
	}
	if f == extract.Auto {
		return errors.New("without a format, the first bytes decide: there is none to choose for some inputs")
	}
	return o.Sources.Formats.Add(f, glob)
}

// setQuote sets the quote prefix. It must be one that a reader removes, so that a broken
// reference can continue after it.
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
		return 0, fmt.Errorf("%q is not a number", value)
	case n < 0:
		return 0, fmt.Errorf("%s is negative", value)
	case n<<shift>>shift != n:
		return 0, fmt.Errorf("%s is too large", value)
	}
	return n << shift, nil
}

// filtered returns the setter of a filter.
func filtered(flag string) setter {
	return func(o *Options, value string) error {
		if flag == "suspicious" && value == "false" { // it is the same as no flag
			return nil
		}
		return o.Filter.Add(flag, value)
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
	if value == "-" {
		return errors.New("the state has to be a file, and cannot be standard input or output; ./- is a file of that name")
	}
	o.State.Path = value
	return nil
}

// setSettle sets how long a file must not have changed.
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

// setRange sets the part of a file that is read.
func setRange(o *Options, value string) error {
	bounds, numbers, known := strings.Cut(value, ",")
	begin, end, cut := strings.Cut(bounds, "-")
	r := new(extract.Range)
	var err error
	if r.Begin, err = parseSize(begin); err == nil && end != "" {
		r.End, err = parseSize(end)
	}
	switch {
	case !cut || begin == "":
		return errors.New("this is no range, such as 0-64M, 64M-128M or 128M-")
	case err != nil:
		return err
	case end != "" && r.End <= r.Begin:
		return errors.New("the range ends where it begins, or in front of that")
	}
	if known {
		r.InFront = new(extract.Numbers)
		for one := range strings.SplitSeq(numbers, ",") {
			name, number, _ := strings.Cut(one, "=")
			n, err := parseSize(number)
			switch {
			case name != "lines" && name != "messages" && name != "text":
				return fmt.Errorf("%q is not lines=N, messages=N or text=N", one)
			case err != nil:
				return err
			case name == "lines":
				r.InFront.Lines = n
			case name == "text":
				r.InFront.Text = n
			default:
				r.InFront.Messages = int(n)
			}
		}
	}
	o.Sources.Range = r
	return nil
}

// setPartSize sets the size of the parts of files.
func setPartSize(o *Options, value string) (err error) {
	if o.PartSize, err = parseSize(value); err == nil && o.PartSize == 0 {
		return errors.New("a part has at least one byte")
	}
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

// setFields parses the names of fields, separated by commas.
func setFields(o *Options, value string) (err error) {
	o.Print.Fields, err = record.Select(strings.Split(value, ",")...)
	return err
}
