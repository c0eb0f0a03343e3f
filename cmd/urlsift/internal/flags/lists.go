package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urlsift/urlsift/extract"
)

// finds are the words of --find. set turns one on or off.
var finds = []struct {
	name, help string
	set        setter
}{
	{"abbreviated", "www.example.org/ and ftp.example.org/, as http and ftp", extra("abbreviated")},
	{"defanged", "hxxp://example[.]org/ and the like, as the URL they stand for", extra("defanged")},
	{"addresses", "mail addresses, as mailto", extra("address")},
	{"message-ids", "the identifiers of messages and parts: news: for an article, mid: for other mail, cid: for a part", truth(func(o *Options) *bool { return &o.Extract.MessageIDs })},
	{"identifiers", "the identifiers of markup: the namespaces of HTML and XML (xmlns), and the text of a DOCTYPE", truth(func(o *Options) *bool { return &o.Extract.Identifiers })},
	{"rejoin", "as another reading, a URL that ends at the right edge of wrapped lines with the start of the next line", extra("rejoin")},
}

const allFinds = "all"

func findNames() (names []string) {
	for _, f := range finds {
		names = append(names, f.name)
	}
	return append(names, allFinds)
}

func findHelp() string {
	var texts []string
	for _, f := range finds {
		texts = append(texts, f.name+" ("+f.help+")")
	}
	return strings.Join(texts, "; ") + "; " + allFinds
}

// setFind turns on what a list of --find names.
func setFind(o *Options, value string) error {
	for name := range strings.SplitSeq(value, ",") {
		found := name == allFinds
		for _, f := range finds {
			if f.name != name && name != allFinds {
				continue
			}
			found = true
			if err := f.set(o, "true"); err != nil {
				return err
			}
		}
		if !found {
			return fmt.Errorf("%q is not one of %s", name, strings.Join(findNames(), ", "))
		}
	}
	return nil
}

// A limit is a name of --limit. Zero means the default everywhere.
type limit struct {
	name, help string
	fields     []string // of extract.Limits that it sets
	set        setter
}

var limits = []limit{
	{"length", "bytes of a URL (8K; longer ones are skipped, and counted)", nil, number(func(o *Options) *int { return &o.Extract.Delimit.MaxLen })},
	{"breaks", "line breaks in a URL in < > or quotes (32)", nil, number(func(o *Options) *int { return &o.Extract.Delimit.MaxBreaks })},
	{"depth", "compressions and archives nested in one another (16), and nested parts of messages (100)", []string{"Depth", "Nesting"}, setDepth},
	{"member", "bytes of each decompressed input, or of each member of an archive (no limit)", []string{"Size"}, size(func(o *Options) *int64 { return &o.Extract.Limits.Size })},
	{"ratio", "how many times its size an input of more than 1G may have unpacked (10000)", []string{"Ratio"}, number(func(o *Options) *int { return &o.Extract.Limits.Ratio })},
	{"joined", "how much the base of a message or page may add to its URLs, beyond 64K, in multiples of its text (64; further URLs are printed as they are written)", []string{"Joined"}, number(func(o *Options) *int { return &o.Extract.Limits.Joined })},
	{"window", "bytes that a decompressor keeps (128M, as zstd -d; xz -9 needs 64M); one that is nested in two others may keep half of that", []string{"Window"}, size(func(o *Options) *int64 { return &o.Extract.Limits.Window })},
}

func limitHelp() string {
	var texts []string
	for _, l := range limits {
		texts = append(texts, l.name+": "+l.help)
	}
	return strings.Join(texts, "; ")
}

// setLimit sets the limits in a list of NAME=N.
func setLimit(o *Options, value string) error {
	for pair := range strings.SplitSeq(value, ",") {
		name, n, _ := strings.Cut(pair, "=")
		i := slices.IndexFunc(limits, func(l limit) bool { return l.name == name })
		if i < 0 {
			var names []string
			for _, l := range limits {
				names = append(names, l.name)
			}
			return fmt.Errorf("there is no limit %q, but %s", name, phrase(names))
		}
		if err := limits[i].set(o, n); err != nil {
			return err
		}
	}
	return nil
}

// ForLimit returns the flag that sets the named field of extract.Limits, or "".
func ForLimit(field string) string {
	for _, l := range limits {
		if slices.Contains(l.fields, field) {
			return "--limit " + l.name
		}
	}
	return ""
}

// setRefused says whether rejected URLs are printed, or only these.
func setRefused(o *Options, value string) (err error) {
	if o.Filter.OnlyRefused = value == "only"; o.Filter.OnlyRefused {
		return nil
	}
	o.Extract.Refused, err = parseBool(value)
	return err
}

// old are spellings from before version 1.0, which go on working and are not shown.
var old = func() (rows []spec) {
	rows = []spec{
		{long: "only-refused", set: truth(func(o *Options) *bool { return &o.Filter.OnlyRefused })},
		{long: "follow", set: truth(func(o *Options) *bool { return &o.Sources.Walk.Follow })},
		{long: "include", arg: "GLOB", set: globs(func(w *extract.Walker) *[]string { return &w.Include })},
		{long: "exclude", arg: "GLOB", set: globs(func(w *extract.Walker) *[]string { return &w.Exclude })},
	}
	for _, f := range finds {
		rows = append(rows, spec{long: f.name, set: f.set})
	}
	for _, l := range limits {
		rows = append(rows, spec{long: "max-" + l.name, arg: "N", set: l.set})
	}
	for i := range table { // of subcommands for references only
		if f := table[i]; f.long == "lax" || f.long == "excess" {
			f.on = searching
			rows = append(rows, f)
		}
	}
	return rows
}()

// hints are what people mean with flags that do not exist.
var hints = map[string]string{
	"json": "--format jsonl", "malformed": "--refused=only", "invalid": "--refused=only", "broken": "--refused=only", "errors": "--refused",
	"exclude-host": "--host '!GLOB'", "exclude-domain": "--domain '!NAME'", "exclude-scheme": "--scheme '!LIST'", "exclude-url": "--url '!GLOB'",
	"sender": "--from", "group": "--newsgroup", "after": "--since", "before": "--until",
}
