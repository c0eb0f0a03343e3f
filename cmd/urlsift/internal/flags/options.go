package flags

import (
	"errors"
	"fmt"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/check"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/filter"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/messages"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/progress"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/refs"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/sources"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/state"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/stats"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/tally"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/track"
	"github.com/urlsift/urlsift/extract"
)

// Options are what the command line requests. The table in table.go says which flag sets
// which field. After parsing nothing reads the command line; the command still sets the fields of
// Extract that depend on others (run.go, state.go). A field is the Options of one package, or the
// value of one flag.
type Options struct {
	Task    Task
	Brief   bool // the help is that of -h
	Verbose bool // version says what the program was built with
	Extract extract.Options
	Sources sources.Options
	Paths   []string // as given, or references; if there are none, standard input is read
	Search  []string // the flags that decide what is read and found, as given

	Print    output.PrintOptions
	Refs     refs.Options
	Filter   filter.Options
	Messages messages.Options
	Tally    tally.Options
	Check    check.Options
	track.Options
	Color     progress.When
	Hyperlink bool
	Output    string // the file that results are written to; "" is standard output
	Quiet     bool   // nothing is printed, and the first URL ends the run
	State     state.Options
	settled   bool   // State.Settle was given
	Follow    bool   // continue as files grow
	PartSize  int64  // that ranges divides files into
	Rows      int    // that a report holds; 0 means the default
	Forget    string // a glob of files that the state is to forget
	Progress  progress.When
	Stats     stats.Format
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
	if err := o.checkText(); err != nil {
		return err
	}
	if err := o.checkRange(); err != nil {
		return err
	}
	if o.State.Path != "" && (o.Count || o.List || o.Most != 0 || o.Quiet) {
		return errors.New("--state prints what is new in each input: it has no place for --count, --files-with-matches, --max-count and --quiet")
	}
	o.Extract.Subjects = o.Task == Report
	o.Print.Need(&o.Extract)
	o.Filter.Need(&o.Extract)
	o.Tally.Need(&o.Extract)
	o.Extract.Refused = o.Extract.Refused || o.Filter.OnlyRefused
	o.Extract.LogTimes = o.Extract.LogTimes || o.Print.Fields != nil && o.Print.HasField("date") || o.Task&(Count|Report) != 0
	o.Extract.Refused = o.Extract.Refused || o.Task&(Report|Check) != 0
	o.Extract.Delimit.Malformed = o.Task == Check
	if o.Task == Check && o.Extract.Grammar == 0 {
		if err := o.Extract.Grammar.UnmarshalText([]byte("rfc3986")); err != nil {
			return err
		}
	}
	o.Messages.Quiet, o.Messages.Paths = o.Quiet, o.Paths
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
		return errors.New("--tail follows files and folders; without --tail, standard input is read as it comes")
	}
	o.State.Following = true
	o.Progress = progress.Never
	return nil
}

// checkRange checks what a part of a file is read of.
func (o *Options) checkRange() error {
	if o.Sources.Range == nil {
		return nil
	}
	named := sources.Options{Paths: o.Paths, Lists: o.Sources.Lists}
	switch {
	case named.Stdin():
		return errors.New("--range reads a part of a file, and standard input is none")
	case named.Several():
		return errors.New("--range reads a part of one file, and wants one path")
	case o.State.Path != "" || o.Follow || !o.Sources.Shard.IsAll():
		return errors.New("--range reads a part of one file, once: it has no place for --state, --tail and --shard")
	case o.Most != 0 || o.List:
		return errors.New("--range reads all of a part: it has no place for --max-count and --files-with-matches")
	}
	return nil
}

// checkText rejects the flags of wrap that have no meaning with --text.
func (o *Options) checkText() error {
	if !o.Refs.Layout.Text {
		return nil
	}
	for _, f := range []struct {
		name  string
		isSet bool
	}{
		{"redact", o.Print.Redact},
		{"format", o.Print.Format != output.Text},
		{"csv-guard", o.Print.Guard},
		{"typed", o.Refs.Typed},
		{"repair", o.Refs.Repair},
		{"grammar", o.Extract.Grammar != 0},
		{"bare", o.Refs.Layout.Bare},
	} {
		if f.isSet {
			return fmt.Errorf("wrap --text copies a text: it has no place for --%s", f.name)
		}
	}
	if len(o.Paths) > 0 {
		return Misuse("wrap --text reads standard input, and was given %q", o.Paths[0])
	}
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
