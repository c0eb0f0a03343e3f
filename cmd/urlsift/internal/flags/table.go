package flags

import (
	"encoding"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/check"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/messages"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/progress"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/refs"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/stats"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/tally"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/track"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// A spec is a row of the one table of flags. The parser, the help, the man
// page and the completions of the shells are all made from it.
type spec struct {
	long      string
	short     byte // 0 if there is none
	on        Task // the tasks that have the flag; 0 means all tasks that search files
	group     string
	arg       string   // what the value is called; "" for a flag without one
	words     []string // all values, if they can be listed
	separator byte     // separator of several words or forms, or 0
	forms     []string // for a flag without a value: what may follow '='
	help      string   // a phrase without period, which the help and the manual wrap
	brief     string   // what -h says; "" if only --help has the flag
	set       setter   // nil if the library has the flag: --help and --version
}

// serves reports whether t has the flag.
func (f *spec) serves(t Task) bool {
	on := f.on
	if on == 0 {
		on = searching
	}
	return on&t != 0
}

// acceptedBy returns the names of the subcommands that accept the flag. It returns none for
// --help, which all of them have.
func (f *spec) acceptedBy() []string {
	if f.on == Every {
		return nil
	}
	return f.on.names()
}

// The groups of flags, in the order in which they are printed.
const (
	input   = "Input"
	finding = "What is found"
	chosen  = "What is printed"
	shape   = "How it is printed"
	reports = "Errors and warnings"
	bounds  = "Limits"
	other   = "Other"
)

var groups = []string{input, finding, chosen, shape, reports, bounds, other}

// The words of flags that other packages parse, with UnmarshalText. A shell offers the
// words of this list, so a wrong one would be offered and then rejected.
var (
	formats   = formatNames()
	excesses  = []string{"retain", "remove", "error"}
	partKinds = []string{"plain", "html", "header", "all"}
)

// formatNames returns the names of all formats of package extract.
func formatNames() (names []string) {
	for f := extract.Auto; f.String() != ""; f++ {
		names = append(names, f.String())
	}
	return names
}

// table is the table, in the order in which people read it. Its rows have no defaults: each package
// sets its own, and the help only repeats them. A flag without a value is written --name or
// --name=false. If a flag is given twice, the second value counts, or is added to a list.
var table = []spec{
	{long: "as", on: searching | Ranges, group: input, arg: "FORMAT", words: formats, set: setFormat,
		brief: "read as mbox, html, csv, plain and others",
		help:  "read each input in this format (default auto: its first bytes decide, and between kinds of text its name); plain is text without structure, and opens no archives; FORMAT:GLOB is for inputs that match GLOB, may be given several times, and the last GLOB that matches decides"},
	{long: "parts", group: input, arg: "LIST", words: partKinds, separator: ',', set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Extract.Parts }),
		help: "which parts of messages are read, separated by commas (default all)"},
	{long: "hidden", group: input, set: truth(func(o *Options) *bool { return &o.Sources.Walk.Hidden }),
		help: "search hidden files and directories too"},
	{long: "follow-links", short: 'L', group: input, set: truth(func(o *Options) *bool { return &o.Sources.Walk.Follow }),
		help: "follow symbolic links in directories"},
	{long: "glob", short: 'g', group: input, arg: "GLOB", set: globs(func(w *extract.Walker) *[]string { return &w.Globs }),
		brief: "files in directories that match; after ! not those",
		help:  "in directories, read files that match GLOB, even hidden and ignored ones; with ! in front, skip what matches; the last GLOB that matches decides; may be given several times"},
	{long: "ignore", group: input, set: truth(func(o *Options) *bool { return &o.Sources.Walk.Ignore }),
		help: "in directories, skip what .gitignore and .ignore files name"},
	{long: "files-from", group: input, arg: "FILE", set: lists('\n'),
		help: "read the paths in FILE too, one a line; - is standard input"},
	{long: "files0-from", group: input, arg: "FILE", set: lists(0),
		help: "read the paths in FILE too, each followed by NUL; - is standard input"},
	{long: "shard", group: input, arg: "I/N", set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Sources.Shard }),
		help: "read only part I of N (from 1) of the inputs, by their names; runs with the same paths on several machines read all of them, each once; inputs of more than 256M are dealt out in turn"},
	{long: "range", on: searching | Ranges, group: input, arg: "BEGIN-END[,lines=N,messages=N,text=N]", set: setRange,
		help: "read only a part of one file, a plain text, a mailbox or a WARC file: from the first line, message or record, at or after BEGIN in front of which it may be cut, to the first one at or after END (none: the end of the file); parts that follow one another give together what the file gives; the file may be compressed as several gzip members (as bgzip does) or zstd frames, and the bytes are those of the compressed file; lines, messages and text (bytes, needed if the file is compressed) are the numbers of what is in front: see urlsift ranges; without them this is counted first"},
	{long: "size", on: Ranges, group: input, arg: "N", set: setPartSize,
		help: "the size of a part (default 128M); a part without a place where it may end is longer"},
	{long: "source-name", group: input, arg: "NAME", set: setSourceName,
		help: "call standard input NAME in records and messages (default -)"},
	{long: "state", on: Find, group: input, arg: "FILE", set: setState,
		brief: "only what is new since the last run with FILE",
		help:  "read only what is new since the last run with this FILE, which is made if there is none; reading continues after the last complete line of a text, and the last complete message of a mailbox; with -u, URLs that earlier runs with -u have printed are not printed again"},
	{long: "settle", on: Find, group: input, arg: "TIME", set: setSettle,
		help: "with --state and --tail, read the last line of a text, and the last message of a mailbox, when the file was not changed for TIME (default 1m)"},
	{long: "tail", on: Find, short: 'F', group: input, set: truth(func(o *Options) *bool { return &o.Follow }),
		brief: "when all is read, wait for more, as tail -F does",
		help:  "when all is read, wait for more until interrupted, as tail -F does: files may grow, be rotated, and appear in folders (with --state, the next run continues there)"},
	{long: "jobs", on: searching | Ranges, short: 'j', group: input, arg: "N", set: number(func(o *Options) *int { return &o.Extract.Workers }),
		help: "run N workers (default: one for each processor), on inputs and on parts of large ones; the order of the output does not depend on it"},

	// What a reference is, and what is done to it.
	{long: "grammar", on: referring, group: finding, arg: "NAME", words: refs.Grammars, separator: '+', set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Extract.Grammar }),
		help: "the grammar that a URL must follow (default uri-2002); several are joined with '+', and one of them must accept the URL; all stands for all of them"},
	{long: "base", on: searching | Resolve | Relativize, group: finding, arg: "URL", set: setBase,
		brief: "resolve relative URLs against URL",
		help:  "resolve relative URLs against URL where the text has no base of its own"},
	{long: "base-map", group: finding, arg: "FILE", set: setBaseMap,
		help: "resolve the URLs of each input against the URL from which it was retrieved; a line of FILE has the path of a file or directory, a blank, and that URL (paths are compared as absolute ones); --base applies to the other inputs"},
	{long: "excess", on: Resolve | Relativize, group: finding, arg: "WHAT", words: excesses, set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Extract.Excess }),
		help: "where a relative URL has more '..' than its base has directories, keep the rest of them (retain, the default), drop them (remove), or do not resolve the URL (error)"},
	{long: "lax", on: Resolve | Relativize, group: finding, set: truth(func(o *Options) *bool { return &o.Extract.Lax }),
		help: "resolve as old programs do: a URL with the scheme of the base may be relative, as http:g (only uri-2002 and rfc3986 have this)"},
	{long: "typed", on: reading | Equal, group: finding, set: truth(func(o *Options) *bool { return &o.Refs.Typed }),
		help: "remove what people type around a URL and in it: brackets, quotes, a prefix like URL:, all white space; and complete www.example.org"},
	{long: "repair", on: reading | Equal, group: finding, set: truth(func(o *Options) *bool { return &o.Refs.Repair }),
		help: "escape what the grammar does not allow in a URL, as in URLs that are found in text"},
	{long: "find", on: searching | Ranges, group: finding, arg: "LIST", words: findNames(), separator: ',', set: setFind,
		brief: "also addresses, defanged, abbreviated; or all",
		help:  "find these too, separated by commas: " + findHelp()},
	{long: "log-times", on: Find, group: finding, set: truth(func(o *Options) *bool { return &o.Extract.LogTimes }),
		help: "in logs, the date of a URL is the time stamp of its line, as in count"},
	{long: "refused", on: searching &^ Check, group: finding, forms: []string{"only"}, set: setRefused,
		brief: "also, or only, what the grammar rejects, and why",
		help:  "also print URLs that the grammar rejects, with the error (in text, after a tab); --refused=only: print only those, and the exit status is 0 if there is one"},

	// The flags from here on do not reach package extract: the command filters and
	// prints the results.
	{long: "scheme", group: chosen, arg: "LIST", set: filtered("scheme"),
		brief: "only these schemes; after ! all others",
		help:  "print only URLs with one of these schemes, separated by commas; with ! in front, all but those"},
	{long: "host", group: chosen, arg: "GLOB", set: filtered("host"),
		brief: "only hosts that match ('*.a.example'); after ! not",
		help:  "print only URLs whose host matches GLOB, in any case; '*' is any text, '?' any character; names beyond ASCII may be in Unicode or as A-labels (xn--): each finds both; separate several by commas; ! leaves out what it and the rest of its list match; the last GLOB that matches decides"},
	{long: "domain", group: chosen, arg: "NAME", set: filtered("domain"),
		brief: "only registrable domains: example.co.uk",
		help:  "print only URLs whose registrable domain (by the public suffix list) is NAME, in any case, in Unicode or as A-labels; separate several by commas; with ! in front, all but those"},
	{long: "url", group: chosen, arg: "GLOB", set: filtered("url"),
		brief: "only URLs that match as a whole; after ! not those",
		help:  "print only URLs that match GLOB from beginning to end, as they are printed; '*' is any text, any other character itself; with ! in front, leave out what matches; may be given several times, and the last GLOB that matches decides"},
	{long: "suspicious", group: chosen, forms: record.Suspicions, separator: ',', set: filtered("suspicious"),
		help: "print only URLs that are suspicious, or with --suspicious=LIST those that are so in one of these ways, separated by commas: " + strings.Join(record.Suspicions, ", ")},
	{long: "from", group: chosen, arg: "GLOB", set: filtered("from"),
		brief: "only of messages by authors that match",
		help:  "print only URLs of messages whose author matches GLOB, in any case: the address in From, or the whole field; '*' is any text, '?' any character; with ! in front, leave out what matches"},
	{long: "message-id", group: chosen, arg: "ID", set: filtered("message-id"),
		help: "print only URLs of the message with this Message-ID; may be given several times"},
	{long: "newsgroup", group: chosen, arg: "GLOB", set: filtered("newsgroup"),
		help: "print only URLs of articles in a newsgroup that matches GLOB; separate several by commas; with ! in front, leave out what matches"},
	{long: "since", group: chosen, arg: "TIME", set: filtered("since"),
		brief: "only since a day, month or year, or 7d (ago)",
		help:  "print only URLs of messages and log lines that are not older than TIME: a year, a month or a day (2026-11-26), all in UTC, a time as in RFC 3339, or 7d or 12h ago; URLs without a date are left out and counted"},
	{long: "until", group: chosen, arg: "TIME", set: filtered("until"),
		brief: "only until then, a day, month or year included",
		help:  "print only URLs of messages and log lines that are not younger than TIME; a year, a month or a day is included"},
	{long: "max-count", on: Find, short: 'm', group: chosen, arg: "N", set: setMost,
		brief: "at most N of each input",
		help:  "print at most N URLs of each input, and do not read the rest of it"},
	{long: "normalize", group: chosen, set: truth(func(o *Options) *bool { return &o.Extract.Normalize }),
		help: "print equal URLs in one spelling: HTTP://A.example:80/ as http://a.example/ (grammars before url-1997 change nothing); --unique and count compare these"},
	{long: "unwrap", group: chosen, set: truth(func(o *Options) *bool { return &o.Extract.Unwrap }),
		brief: "what is inside safelinks, urldefense and the like",
		help:  "print the URL inside one that a rewriting service has made (Outlook's safelinks, Proofpoint's urldefense, google.com/url, Facebook's l.php, Barracuda, Cisco) or a web archive; filters, --unique and count mean that; the field inner has it without this flag too"},
	{long: "unique", on: Find, short: 'u', group: chosen, forms: track.Scopes, set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Unique }),
		brief: "each URL once (-u=source: in each input)",
		help:  "print each URL once in the whole run; costs " + track.PerURL + " of memory for each; -u=source: once in each input, -u=message: once in each message"},
	{long: "count", on: Find, short: 'c', group: chosen, set: truth(func(o *Options) *bool { return &o.Count }),
		brief: "only the number of each input",
		help:  "print the number of URLs for each input, not the URLs"},
	{long: "files-with-matches", on: Find, short: 'l', group: chosen, set: truth(func(o *Options) *bool { return &o.List }),
		brief: "only the names of inputs that have one",
		help:  "print the names of inputs that have a URL to print"},
	{long: "quiet", on: Find | Check, short: 'q', group: chosen, set: truth(func(o *Options) *bool { return &o.Quiet }),
		brief: "nothing: the exit status says if there is one",
		help:  "print no URLs, and stop at the first one: the exit status is 0 if there is one, even after an error"},
	{long: "readings", on: Find, group: chosen, set: truth(func(o *Options) *bool { return &o.Print.Readings }),
		help: "in text, print each other reading after the URL, on a line of its own: tab, reason, tab, reading"},
	{long: "redact", on: searching | Answering, group: chosen, set: truth(func(o *Options) *bool { return &o.Print.Redact }),
		brief: "*** for passwords",
		help:  "print *** for passwords in URLs, also in names and messages"},

	{long: "format", on: Find, group: shape, arg: "FORMAT", words: output.Formats, set: setPrintFormat,
		brief: "a URL a line (default), or records",
		help:  "text: a URL a line, the target where a base is known (default); jsonl, csv, tsv: a record with all fields"},
	{long: "format", on: Count, group: shape, arg: "FORMAT", words: output.Formats, set: setPrintFormat,
		brief: "text (default), jsonl, csv or tsv",
		help:  "of the rows: text (default), with tabs between the cells; jsonl: an object for each; csv, tsv: a table"},
	{long: "format", on: Answering, group: shape, arg: "FORMAT", words: output.Formats, set: setPrintFormat,
		help: "of the answers: text (default); jsonl: an object for each reference; csv, tsv: a table"},
	{long: "format", on: State, group: shape, arg: "FORMAT", words: output.Formats, set: setPrintFormat,
		help: "of what the state contains: text, a line for each input (default); jsonl: an object for each; csv, tsv: a table"},
	{long: "format", on: Check, group: shape, arg: "FORMAT", words: check.Formats, set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Check.Format }),
		brief: "text, jsonl or github",
		help:  "text: FILE:LINE:COLUMN: what is wrong: URL (default); jsonl: an object; github: commands that annotate files in GitHub's workflows"},
	{long: "files", on: Check, group: finding, set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Check.Files }),
		brief: "also links to files that do not exist",
		help:  "also check relative links in HTML and Markdown: each has to be a file or folder; query and fragment are left out, and templates such as {{page}} left alone; with --files=ROOT also links that begin with '/', from the folder ROOT, and no link may leave it"},
	{long: "width", on: Wrap, group: shape, arg: "N", set: width,
		help: "break lines before they have more than N bytes (default " + strconv.Itoa(refs.DefaultWidth) + "); 0 breaks none"},
	{long: "indent", on: Wrap, group: shape, arg: "N", set: number(func(o *Options) *int { return &o.Refs.Layout.Indent }),
		help: "begin each further line of a URL with N blanks"},
	{long: "quote", on: Wrap, group: shape, arg: "PREFIX", set: setQuote,
		help: "begin each line with PREFIX, as replies quote mail: '> '"},
	{long: "prefix", on: Wrap, group: shape, set: truth(func(o *Options) *bool { return &o.Refs.Layout.Prefix }),
		help: "write URL: after the opening bracket"},
	{long: "bare", on: Wrap, group: shape, set: truth(func(o *Options) *bool { return &o.Refs.Layout.Bare }),
		help: "write no brackets around URLs that a reader finds without them and that fit in a line"},
	{long: "text", on: Wrap, group: shape, set: truth(func(o *Options) *bool { return &o.Refs.Layout.Text }),
		help: "copy a text from standard input, and wrap the URLs in it that are longer than a line or on several"},
	{long: "output", short: 'o', group: shape, arg: "FILE", set: setOutput,
		brief: "to FILE, which is replaced at the end",
		help:  "write results to FILE: a new file replaces it at the end of the run, and a run that is interrupted or killed leaves FILE as it was (with --state, results are added at its end, each exactly once; with --tail, FILE becomes empty first); FILE itself is never read, even in a directory that is read"},
	{long: "fields", on: Find, group: shape, arg: "LIST", words: record.Names(record.Fields()), separator: ',', set: setFields,
		brief: "only these fields of the record, in that order",
		help:  "print these fields of the record, separated by commas, in that order; in text they are separated by tabs (urlsift schema says what each is)"},
	{long: "by", on: Count, group: shape, arg: "LIST", words: tally.Keys, separator: ',', set: setBy,
		brief: "count by host, domain, year, from and others",
		help:  "count by these keys, separated by commas (default url)"},
	{long: "sort", on: Count, group: shape, arg: "ORDER", words: count.Orders, set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Tally.Order }),
		brief: "count (default), key, first or last",
		help:  "the order of the rows: the largest count first (default), by key, the earliest first time first, or the latest last time first; equal rows are in the order of their keys"},
	{long: "top", on: Count, group: shape, arg: "N", set: number(func(o *Options) *int { return &o.Tally.Top }),
		brief: "only the first N rows",
		help:  "print only the first N rows"},
	{long: "rows", on: Report, group: shape, arg: "N", set: number(func(o *Options) *int { return &o.Rows }),
		brief: "how many URLs the page holds",
		help:  "let the page hold the N most frequent URLs, and as many suspicious and refused ones (default 10000), with their places; what it does not hold is counted"},
	{long: "csv-guard", on: Find | Count | Answering, group: shape, set: truth(func(o *Options) *bool { return &o.Print.Guard }),
		help: "in csv and tsv, put ' in front of a cell that a spreadsheet would run as a formula (it begins with =, +, -, @, a tab or a line end; in tsv also with a quote)"},
	// Names and letters as in grep, or as in ripgrep if grep has none.
	{long: "with-filename", on: Find, short: 'H', group: shape, set: prefixBit(output.WithName),
		brief: "the name of the input in front",
		help:  "in text, print the name of the input first"},
	{long: "line-number", on: Find, short: 'n', group: shape, set: prefixBit(output.WithLine),
		brief: "the line number in front",
		help:  "in text, print the line number first, from 1"},
	{long: "column", on: Find, group: shape, set: prefixBit(output.WithColumn),
		help: "in text, print the column first, in bytes from 1"},
	{long: "byte-offset", on: Find, short: 'b', group: shape, set: prefixBit(output.WithOffset),
		help: "in text, print the offset in the decompressed input first, in bytes from 0"},
	{long: "vimgrep", on: Find, group: shape, set: prefixBit(output.WithName | output.WithLine | output.WithColumn),
		brief: "FILE:LINE:COLUMN:URL, for editors",
		help:  "in text, print FILE:LINE:COLUMN:URL, which editors read as a list of places"},
	{long: "null", on: Find | Count, short: '0', group: shape, set: truth(func(o *Options) *bool { return &o.Print.Null }),
		help: "end each record with NUL instead of a line end"},
	{long: "color", on: Find, group: shape, arg: "WHEN", words: progress.Whens, set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Color }),
		help: "print names, numbers and errors of text in colours (default auto: if the output is a terminal and NO_COLOR is not set)"},
	{long: "hyperlink", on: Find, group: shape, set: truth(func(o *Options) *bool { return &o.Hyperlink }),
		help: "make the names and line numbers that -H and -n print links, which a terminal opens at a click; only on a terminal, or with --color always"},
	{long: "progress", group: shape, arg: "WHEN", words: progress.Whens, set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Progress }),
		help: "show a progress bar on standard error (default auto: if that is a terminal)"},
	{long: "stats", group: shape, forms: stats.Forms, set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Stats }),
		help: "at the end, report on standard error how much was read, skipped, damaged, found and refused (with --max-count and several --jobs, also what was read and then not needed); --stats=json: as a line of JSON"},

	{long: "warnings", group: reports, set: truth(func(o *Options) *bool { return &o.Messages.Each }),
		help: "print each warning; without this flag the last line says how many there were"},
	{long: "strict", group: reports, set: truth(func(o *Options) *bool { return &o.Messages.Strict }),
		help: "treat warnings as errors: print each, and exit with 2"},
	{long: "no-messages", short: 's', group: reports, set: truth(func(o *Options) *bool { return &o.Messages.Silent }),
		help: "print no errors and no warnings about inputs; the exit status stays the same"},
	{long: "messages", group: reports, arg: "FORM", words: messages.Forms, set: named(func(o *Options) encoding.TextUnmarshaler { return &o.Messages.Form }),
		help: "text: errors are lines (default); json: each error and each warning is a JSON object on a line"},

	{long: "limit", on: searching | Ranges, group: bounds, arg: "NAME=N,...", set: setLimit,
		help: "change limits on what is read; K, M, G and T are powers of 1024; " + limitHelp()},
	{long: "forget", on: State, group: other, arg: "GLOB", set: setForget,
		help: "forget the inputs whose names match GLOB, so that the next run reads them again"},
	{long: "memory", on: Count | Report, group: bounds, arg: "BYTES", set: size(func(o *Options) *int64 { return &o.Tally.Memory }),
		help: "let sums take BYTES (default 256M); beyond that they go to temporary files, which end with the process, in the folder that TMPDIR names"},

	{long: "help", short: 'h', on: Every, group: other,
		help: "print this help; -h prints the flags that are used most"},
	{long: "verbose", on: Version, group: other, set: truth(func(o *Options) *bool { return &o.Verbose }),
		help: "print also what the program was built with, and the dates of its data"},
	{long: "version", short: 'V', group: other,
		help: "print the version, with the commit and its date if they are known"},
}
