package main

import "strings"

// All prose about the command is here, once. The flags' own is in their table.

// What the help and the man page say beside the flags. Lines of the description
// are paragraphs; whoever prints them wraps them.
var (
	purpose = "find URL references in text"

	synopsis = []string{
		"urlsift [FLAG]... [PATH]...",
		"urlsift completion bash|zsh|fish",
		"urlsift man",
	}

	description = []string{
		"Reads files, walks directories, and prints the URLs that stand in them, one a line. Without PATH, or where PATH is -, it reads standard input. " +
			"Compressed input (gzip, bzip2, zstd, xz, lz4, zlib, snappy, s2) is recognised by its bytes and decompressed.",
		"Flags may stand before and behind paths; -- ends them. One-letter flags may be joined, and a value may follow at once: -nHj4. " +
			"The words completion and man are subcommands where they stand first; a file of that name is ./man.",
	}

	records = []string{
		"A line of text is name:line:column:offset:URL, with those pieces that were asked for. A refused one goes on with a tab and the error, and with --readings there are lines that begin with a tab.",
		"A record in jsonl is an object; what is empty, false or not known is absent from it. In csv and tsv the first line has the names of the fields, and members of a list are parted by spaces, a reading being reason=text. " +
			"Cells of csv are quoted as in RFC 4180, those of tsv have \\t, \\n, \\r and \\\\ for a tab, line ends and a backslash. All records are UTF-8; bytes that are not become U+FFFD.",
		"With several paths or a directory, --count prints name:count.",
	}

	statuses = [][2]string{
		{"0", "a reference was found, or the reader of the output went away"},
		{"1", "none was found"},
		{"2", "something could not be read or written, or the command line makes no sense; what was found is printed all the same"},
		{"130", "interrupted; what was found is printed"},
	}

	environment = [][2]string{
		{"NO_COLOR", "if set and not empty, the progress bar has no colours"},
		{"TERM", "if it is dumb, there is no progress bar unless --progress always is given"},
	}

	sigs = [][2]string{
		{"INT, TERM", "end the run; a second one ends it at once"},
		{"USR1", "print a line of progress on standard error (also INFO, where there is one)"},
	}

	examples = [][2]string{
		{"urlsift -n notes.txt", "the URLs of a file, with line numbers"},
		{"urlsift --format jsonl --host '*.example.org' logs/", "records of the URLs of one host in a directory of logs"},
		{"tail -f access.log | urlsift -u", "each URL of a growing log, once, as it comes"},
		{"urlsift --base http://example.org/docs/ --as html page.html", "where the links of a page lead"},
	}
)

// help returns what --help prints: usage, description, the flags by group, and
// the exit statuses. It is 80 columns wide whatever the terminal, as man pages of
// other commands are in a pipe.
func help() string {
	var b strings.Builder
	b.WriteString("urlsift: " + purpose + "\n\n")
	for i, line := range synopsis {
		b.WriteString([]string{"Usage: ", "       "}[min(i, 1)] + line + "\n")
	}
	for _, p := range description {
		b.WriteByte('\n')
		wrap(&b, p, 0, 0)
	}
	for _, g := range groups {
		b.WriteString("\n" + g + ":\n")
		for i := range flags {
			f := &flags[i]
			if f.group != g {
				continue
			}
			head := "      "
			if f.short != 0 {
				head = "  -" + string(f.short) + ", "
			}
			head += "--" + f.long
			if f.arg != "" {
				head += " " + f.arg
			}
			b.WriteString(head)
			text := f.help
			if len(f.words) > 0 {
				text += " [" + strings.Join(f.words, ", ") + "]"
			}
			if len(head) > column-2 { // the explanation goes under it
				b.WriteByte('\n')
				head = ""
			}
			wrap(&b, text, len(head), column)
		}
	}
	b.WriteString("\nExit status:\n")
	for _, s := range statuses {
		b.WriteString("  " + s[0])
		wrap(&b, s[1], 2+len(s[0]), 8)
	}
	b.WriteString("\nurlsift man prints the manual page.\n")
	return b.String()
}

// column is where the explanations of flags begin.
const column = 28

// wrap writes text in lines of at most 80 columns that begin at column left. The
// first begins behind used columns that were written before.
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
