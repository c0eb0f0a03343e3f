package flags

import (
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/refs"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/tally"
)

// All texts about the command are here, except those of single flags and the phrases of
// subcommands, which are in their tables.

// The texts of help and man page that are not about flags. Each line of the description
// is a paragraph, which is wrapped when it is printed.
var (
	purpose = "find URLs in text"

	description = []string{
		"Searches files and directories, and prints the URLs in them, one a line. Without PATH, or where PATH is -, it reads standard input. " +
			"Compressed input (gzip, bzip2, zstd, xz, lz4, lzma, lzip, zlib, snappy, s2, compress, and brotli by its suffix), archives (tar, zip, ar, deb, cpio, and 7z from a file), mailboxes, messages and HTML are recognised by their first bytes and decoded.",
		"A GLOB has the syntax of ripgrep: * and ? do not match a slash, ** matches any number of directories, {a,b} matches a or b. A GLOB without a slash is compared with the last name of a path, one with a slash with the whole path, relative to the working directory: " +
			"'docs/**/*.md'. A PATH on the command line is read even if globs exclude it.",
		"Flags may come before and after paths; -- ends them. One-letter flags may be joined, and a value may follow directly: -nHj4. " +
			"A subcommand has to be the first word; write ./man for a file of that name. After a flag, such a word is a file, and an error if there is none. A first word that is no file, but nearly the name of a subcommand, is an error.",
	}

	// What the subcommands do, in paragraphs. Those that work on references share some.
	details = map[Task][]string{
		Count: {
			"Finds references as urlsift does without a subcommand, and prints a row for each key that has references: their number, the key, their first and last time, and the number of inputs that have them. The keys are " + phrase(tally.Keys) + "; " +
				"with several, there is a row for each combination. Counts are exact, however many keys there are.",
			"url is what urlsift prints: the target if a base is known. host, domain, scheme, form and message are those of the record. Of grammar, newsgroup and suspicious a reference may have several, and counts for each. from is the address of the author, in lower case. port is the default one of the scheme where none is written. inner_host is the host of the innermost reference of the field inner. year, month, day and hour are of the time, in UTC.",
			"The time of a reference is the date of its message. In plain text it is the first time stamp in the line, in front of the reference: of a web server ([10/Oct/2000:13:55:36 -0700]), in ISO 8601 (2000-10-10T13:55:36Z), of syslog (Oct 10 13:55:36) or of asctime. " +
				"A stamp without a zone is in UTC. A stamp without a year is of the last year in which it is at most 24 hours after the last change of the file. The line may begin up to 4 KiB in front of the reference. Where a reference has no time, or no host or domain, the cell is empty, and first and last leave the reference out.",
			"In text the cells are separated by tabs, on a terminal by spaces, below a line with their names. A row in jsonl is an object with count, the keys, first, last and sources; what is empty is absent. In csv and tsv the first line has these names.",
			"If a signal ends the run, what was counted until then is printed, unless it would go to the FILE of --output.",
		},
		Report: {
			"Finds references as urlsift does without a subcommand, and writes one HTML page about them: totals, a time line, schemes, hosts, domains, delimiters, which grammars accept the references and why some were refused, what is refused or suspicious with its place, errors and warnings, and the most frequent URLs with their first and last time.",
			"The page goes to FILE, or to standard output if that is no terminal. It is one file without links and without remote parts, and loads nothing. Long tables are shortened, with a note. Without --rows, the page has at most 2 MB.",
			"Times are those of urlsift count. At both ends the time line leaves out one reference in 400, and says how many these are.",
		},
		Check: {
			"Finds references as urlsift does without a subcommand, and prints what is wrong with them, a line each: FILE:LINE:COLUMN: what is wrong: URL. Wrong is what the grammar rejects (rfc3986 unless --grammar says otherwise), a port, an address or a name of a host that cannot exist, an escape without two hexadecimal digits, and a text that is meant as a URL and is none: http:///x, http:/www.example.org, https//www.example.org, htpp://www.example.org, http://http://www.example.org. Texts that stand for others, such as http://{host}/ and http://..., are left alone, and so is what the grammar accepts after other characters in it were escaped. Whether a fragment exists is not checked.",
			"A record in jsonl has source, line, column, offset, rule, error and text. rule is one of colon, slashes, brackets, grammar, host, port and file. Nothing is requested from the network.",
		},
		State: {
			"FILE is what --state has made. In text, each input is a line: its name, how much of it was read, and when; the last line is about all of them. A record in jsonl is an object with source, device, inode, size, modified, read, stored (bytes that were read), text (bytes after decompression), " +
				"lines and messages (in front of the point from which the next run reads), results, and whole; the last one has runs, last_run, files, urls and, with -o, output and output_length.",
			"A GLOB without a slash is compared with the last name of a path, one with a slash with the whole path, relative to the working directory unless it is absolute.",
		},
		Ranges: {
			"Prints a JSON object for each part of each FILE, in order: source, range (the value of --range, for urlsift with the same --as, --find and --limit), begin, end, lines, messages and, if the file is compressed, text (the numbers of what is in the part; text is in bytes). The parts are read for this, several at a time, and not searched. " +
				"A file that cannot be divided is one part, and why says why. After damage in a compressed file the rest of a part is not counted: the status is then 2.",
			"With --range only that part is printed, and FILE is one file. Several machines can so count parts of one file; the numbers for --range are the sums of those in front. A part may be empty: then the part in front of it is longer.",
		},
		Parse: {
			"In text, a table lists the components (an empty one is \"\"), the parts that the scheme defines, what each grammar says, and, if --grammar rejects the reference, where and why.",
			"A record in jsonl has the keys " + phrase(refs.Columns(refs.Parse)) + ". A component that is undefined is null, and one that is empty is \"\". " +
				"absolute says whether there is a scheme, grammars lists the grammars that accept the reference, valid says whether that of --grammar does, and fields holds the parts that the scheme defines. A rejected reference is taken apart too.",
		},
		Resolve: {
			"In text, each target is a line. A reference to the current document has no target in some grammars; then the reference itself is printed. A rejected reference is followed by a tab and the error.",
			"A record in jsonl has the keys " + phrase(refs.Columns(refs.Resolve)) + ". target and error are null where there is none.",
		},
		Normalize: {
			"In text, each normal form is a line; a rejected reference is followed by a tab and the error. Grammars before url-1997 have no normal form, and leave references unchanged.",
			"A record in jsonl has the keys " + phrase(refs.Columns(refs.Normalize)) + ". url is null where the reference is rejected; the error goes to standard error.",
		},
		Relativize: {
			"In text, each relative reference is a line; a rejected one is followed by a tab and the error. resolve, with the same base and grammar, is the inverse. A reference that is relative already is resolved first.",
			"A record in jsonl has the keys " + phrase(refs.Columns(refs.Relativize)) + ". relative and error are null where there is none.",
		},
		Wrap: {
			"In text, each reference is <reference>, over as many lines as it takes. Lines break after one of / ? & = # ; if possible, otherwise after a dot, and never after a hyphen. References that are relative or have a scheme that is not registered get the prefix URL:, because no reader finds them without it.",
			"With --text, a text is copied byte for byte, except for references in it that are longer than a line or on several lines: these are wrapped, with the quote prefix and the indent of their line. Some references are not changed: those in quotation marks, those with a backslash, and those in brackets that also hold a blank or a label (as <http://example.org/ the page>) or that begin with a line break. urlsift finds the same references in the copy as in the text. Of the flags, --width, --indent, --quote and --prefix apply.",
			"A record in jsonl has the keys " + phrase(refs.Columns(refs.Wrap)) + ". text is null where no reader would find the reference, and error says so.",
		},
		Build: {
			"NAME is one of the names that parse prints under fields, and VALUE is data, which is escaped for its place. Names of lists (segments, search_words, attributes, fields) may be given several times.",
			"The reference is a line. A record in jsonl has the keys " + phrase(refs.Columns(refs.Build)) + ". If the grammar rejects what is made, url is null.",
		},
		Equal: {
			"Nothing is printed: the exit status is the answer. It is 2 where the grammar has no rule to compare by, and where it rejects one of the two.",
		},
	}

	answers = []string{
		"Without REF, references are read from standard input, one a line, and answered line by line. A line may have " + strconv.Itoa(refs.LongestLine>>20) + " MiB; a longer one is an error, and the lines after it are read.",
		"In csv and tsv the first line has the names of the fields. An undefined value is an empty cell in csv and \\N in tsv; an empty one is \"\" in csv and an empty cell in tsv. Members of a list are separated by spaces, and fields are as in jsonl.",
	}

	records = []string{
		"A line of text is name:line:column:offset:URL, with the pieces that flags ask for. A rejected URL is followed by a tab and the error. With --readings, lines that begin with a tab follow.",
		"A record in jsonl is an object; a field that is empty, false or unknown is absent. In csv and tsv the first line has the names of the fields; members of a list are separated by spaces, and a reading is reason=text. " +
			"Cells of csv are quoted as in RFC 4180; those of tsv have \\t, \\n, \\r and \\\\ for a tab, line ends and a backslash. All records are UTF-8; other bytes become U+FFFD.",
		"On a terminal, control characters, bytes that are not UTF-8, and characters that change the direction of text are printed as escapes like \\x1b; jsonl and messages always escape them. To a file or a pipe, names are written unchanged.",
		"With several paths or a directory, --count prints name:count.",
		"An error says that input was lost or not read: a missing file, a damaged or truncated stream, a limit, an archive that cannot be read. It is a line on standard error, and the exit status is 2. " +
			"A warning says that input breaks the rules and was read all the same: no closing boundary, 8-bit bytes in a header, an unknown charset. Warnings are counted, and the last line says how many there were.",
		"With --messages json an object has severity (error or warning), source, member, message, part, offset, line, stage and text; a field that is empty or unknown is absent.",
	}

	statuses = [][2]string{
		{"0", "a URL was found, or the reader of the output closed it"},
		{"1", "none was found"},
		{"2", "an error: input was lost or not read, the output could not be written, or the command line is wrong; what was found is printed. A warning is no error unless --strict is given"},
		{"129, 130, 143", "ended by the signal HUP, INT or TERM; what was found is printed, but FILE of --output stays as it was"},
	}

	// The exit statuses of the subcommands that answer, and of equal.
	answerStatuses = [][2]string{
		{"0", "all references are valid, or the reader of the output closed it"},
		{"1", "one was rejected; the others are answered"},
		{"2", "something could not be read or written, or the command line is wrong"},
		{"129, 130, 143", "ended by the signal HUP, INT or TERM"},
	}

	equalStatuses = [][2]string{
		{"0", "the references are equal"},
		{"1", "they are not"},
		{"2", "no rule compares them, one is rejected, or the command line is wrong"},
	}

	rangeStatuses = [][2]string{
		{"0", "all parts are printed"},
		{"2", "a file could not be read, or the command line is wrong; the parts of the others are printed"},
	}

	checkStatuses = [][2]string{
		{"0", "nothing is wrong"},
		{"1", "something is wrong"},
		{"2", "an error: input was lost or not read, the output could not be written, or the command line is wrong; what was found is printed"},
		{"129, 130, 143", "ended by the signal HUP, INT or TERM"},
	}

	environment = [][2]string{
		{"NO_COLOR", "if set and not empty, there are no colours, unless --color always asks for them"},
		{"TERM", "if it is dumb, there is no progress bar without --progress always"},
	}

	sigs = [][2]string{
		{"HUP, INT, TERM", "end the run; a second one, 0.1 s later or more, ends it at once; a signal that is ignored at the start stays ignored"},
		{"USR1", "print a line of progress on standard error (so does INFO, where the system has it)"},
	}

	examples = [][2]string{
		{"urlsift -n notes.txt", "the URLs of a file, with line numbers"},
		{"urlsift --format jsonl --host '*.example.org' logs/", "records of the URLs of one host in a directory of logs"},
		{"tail -f access.log | urlsift -u", "each URL of a growing log, once, as it is written"},
		{"urlsift --base http://example.org/docs/ --as html page.html", "where the links of a page lead"},
		{"urlsift ranges big.log | jq -r .range | parallel -k urlsift --range {} big.log", "a large file in parts, in parallel"},
		{"urlsift check --files docs/", "what is wrong with the links of documents, for continuous integration"},
		{"urlsift parse 'ftp://me@example.org/pub/a^b;type=i'", "the components of a URL, and what is wrong with it"},
		{"urlsift wrap --quote '> ' http://example.org/a/long/path", "a URL for a reply, broken over lines where a reader joins them"},
		{"urlsift wrap --text --width 60 <letter.txt", "a text with its long URLs broken over lines, and nothing else changed"},
		{"urlsift relativize --base http://example.org/a/b http://example.org/a/c", "the shortest link from one page to another"},
		{"urlsift build gopher host=example.org gtype=0 selector='/About us'", "a URL made of its parts"},
		{"urlsift build ftp host=example.org segments=pub segments=a/b", "the same; a slash in a name is escaped"},
		{"urlsift urls.txt | urlsift normalize --grammar rfc3986 | sort -u", "each URL once, compared in normal form"},
	}
)

// phrase joins words with commas and "and".
func phrase(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// synopsis returns the forms of the command line of t.
func synopsis(t Task) []string {
	if s := t.subcommand(); s != nil {
		return []string{strings.TrimSpace(t.command() + " " + s.args)}
	}
	lines := []string{"urlsift [FLAG]... [PATH]..."}
	for _, s := range subcommands {
		lines = append(lines, synopsis(s.task)...)
	}
	return lines
}

// prose returns the paragraphs and the exit statuses of t.
func prose(t Task) (paragraphs []string, ends [][2]string) {
	switch {
	case t == Find:
		return description, statuses
	case t&(Count|Report) != 0:
		return details[t], statuses
	case t == Equal:
		return details[t], equalStatuses
	case t == Ranges:
		return details[t], rangeStatuses
	case t == Check:
		return details[t], checkStatuses
	case t == Build:
		return details[t], answerStatuses
	case t&Answering != 0:
		return append(details[t][:len(details[t]):len(details[t])], answers...), answerStatuses
	}
	return nil, nil
}

// Text returns what --help prints for t: usage, description, the flags by group,
// and the exit statuses. It is 80 columns wide whatever the terminal, as man pages
// of other commands are in a pipe.
func Text(t Task) string {
	var b strings.Builder
	if s := t.subcommand(); s != nil {
		b.WriteString(t.command() + ": " + s.help + "\n\n")
	} else {
		b.WriteString("urlsift: " + purpose + "\n\n")
	}
	for i, line := range synopsis(t) {
		b.WriteString([]string{"Usage: ", "       "}[min(i, 1)] + line + "\n")
	}
	paragraphs, ends := prose(t)
	for _, p := range paragraphs {
		b.WriteByte('\n')
		wrap(&b, p, 0, 0)
	}
	if t == Find {
		b.WriteString("\nSubcommands (see SUBCOMMAND --help):\n")
		for _, s := range subcommands {
			b.WriteString("  " + s.name)
			wrap(&b, s.help, 2+len(s.name), 16)
		}
	}
	for _, g := range groups {
		helpGroup(&b, t, g)
	}
	if len(ends) > 0 {
		b.WriteString("\nExit status:\n")
	}
	for _, s := range ends {
		b.WriteString("  " + s[0])
		wrap(&b, s[1], 2+len(s[0]), 8)
	}
	title := "\nExamples:\n"
	for _, e := range examplesOf(t) {
		b.WriteString(title + "  " + e[0] + "\n")
		title = ""
		wrap(&b, e[1], 0, 8)
	}
	b.WriteString("\nurlsift man prints the manual page.\n")
	return b.String()
}

// Brief returns what -h prints for t: the flags that are used most, and the subcommands. It has 80
// columns, and for the task without a subcommand fits a screen.
func Brief(t Task) string {
	if t&searching == 0 {
		return Text(t)
	}
	var b strings.Builder
	b.WriteString("Usage: " + synopsis(t)[0] + "\n")
	for _, g := range groups {
		title := g + ":\n"
		for f := range t.flags {
			if f.group != g || f.brief == "" {
				continue
			}
			head := title + "      "
			if f.short != 0 {
				head = title + "  -" + string(f.short) + ", "
			}
			head += "--" + f.long
			switch {
			case f.arg != "":
				head += " " + f.arg
			case len(f.forms) == 1:
				head += "[=" + f.forms[0] + "]"
			}
			b.WriteString(head)
			wrap(&b, f.brief, len(head)-len(title), column)
			title = ""
		}
	}
	if t == Find {
		b.WriteString("Commands (COMMAND -h explains one):")
		wrap(&b, strings.Join(t.others(), " "), len("Commands (COMMAND -h explains one):"), 2)
	}
	b.WriteString(t.command() + " --help has all flags; urlsift man is the manual.\n")
	return b.String()
}

// examplesOf returns the examples of t: those of urlsift without a subcommand, or with the
// subcommand t.
func examplesOf(t Task) (own [][2]string) {
	for _, e := range examples {
		args := strings.Fields(e[0][strings.Index(e[0], "urlsift"):])
		of, _ := TaskOf(args[1:])
		if of == t || t != Find && strings.Contains(e[0], t.command()+" ") {
			own = append(own, e)
		}
	}
	return own
}

// helpGroup writes the flags of t in one group, if there are any.
func helpGroup(b *strings.Builder, t Task, group string) {
	title := "\n" + group + ":\n"
	for f := range t.flags {
		if f.group != group {
			continue
		}
		head := title + "      "
		if f.short != 0 {
			head = title + "  -" + string(f.short) + ", "
		}
		head += "--" + f.long
		if f.arg != "" {
			head += " " + f.arg
		}
		b.WriteString(head)
		used := len(head) - len(title)
		title = ""
		text := f.help
		if len(f.words) > 0 {
			text += " [" + strings.Join(f.words, ", ") + "]"
		}
		if used > column-2 { // the explanation begins on the next line
			b.WriteByte('\n')
			used = 0
		}
		wrap(b, text, used, column)
	}
}

// column is where the explanations of flags begin.
const column = 28

// wrap writes text in lines of at most 80 columns that begin at column left. used columns
// of the first line were already written.
func wrap(b *strings.Builder, text string, used, left int) {
	at := used
	for word := range strings.FieldsSeq(text) {
		switch {
		case at > left && at+1+len(word) > 80:
			b.WriteByte('\n')
			at = 0
			fallthrough
		case at <= left:
			b.WriteString(strings.Repeat(" ", left-at))
			at = left
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += len(word)
	}
	b.WriteByte('\n')
}
