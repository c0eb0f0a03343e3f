package flags

import (
	"slices"
	"strings"
)

// Completions are the shells for which there are completion scripts, and the functions
// that write them. All are made from the table of flags, so they have the same content.
var Completions = map[string]func() string{
	"bash": completeBash,
	"zsh":  completeZsh,
	"fish": completeFish,
}

// The scripts are static: they contain the table and do not call the command. Completion
// starts no process, and works if the command is not in PATH. Only help texts of the table
// have quotation marks; other words of it need no quoting.

// completeBash returns a script for bash. After a flag it offers the values of the flag,
// after a '-' the flags of the task. Otherwise bash continues with files.
func completeBash() string {
	var b strings.Builder
	b.WriteString(`# bash completion of urlsift; source it, or put it in bash-completion's folder
_urlsift_list() { # SEPARATOR WORDS: another word of a list
    local others=
    [[ $word == *"$1"* ]] && others=${word%"$1"*}$1
    COMPREPLY=($(compgen -P "$others" -W "$2" -- "${word##*"$1"}"))
    compopt -o nospace 2>/dev/null
}
_urlsift() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} equals= flags
    if [[ $word == = ]]; then
        word= equals=1
    elif [[ $before == = && COMP_CWORD -gt 1 ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]} equals=1
    fi
    COMPREPLY=()
    case $before in
`)
	// A case for each flag that takes a value. If the values are not listed the answer is
	// empty, and bash offers files.
	for i := range table {
		f := &table[i]
		answer := ""
		list, again := wordsOf(i)
		if again {
			continue
		}
		switch words := strings.Join(list, " "); {
		case f.separator != 0 && f.words != nil:
			answer = "            _urlsift_list '" + string(f.separator) + "' '" + words + "'\n"
		case len(f.words) > 0:
			answer = "            COMPREPLY=($(compgen -W '" + words + "' -- \"$word\"))\n"
		case f.forms != nil:
			b.WriteString("        " + pattern(f) + ")\n            if [[ $equals ]]; then\n" +
				"                COMPREPLY=($(compgen -W '" + strings.Join(f.forms, " ") + "' -- \"$word\"))\n                return\n            fi ;;\n")
			continue
		case f.arg == "":
			continue
		}
		b.WriteString("        " + pattern(f) + ")\n" + answer + "            return ;;\n")
	}
	b.WriteString("    esac\n    case ${COMP_WORDS[1]} in\n")
	for _, s := range subcommands {
		b.WriteString("        " + s.name + ")\n            flags='" + strings.Join(flagWords(s.task), " ") + "' ;;\n")
	}
	b.WriteString("        *)\n            flags='" + strings.Join(flagWords(Find), " ") + "' ;;\n")
	b.WriteString(`    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$flags" -- "$word"))
    elif [[ COMP_CWORD -eq 2 && $before == completion ]]; then
        COMPREPLY=($(compgen -W 'bash zsh fish' -- "$word"))
    elif [[ COMP_CWORD -eq 2 && $before == help ]]; then
        COMPREPLY=($(compgen -W '` + strings.Join(Every.names(), " ") + `' -- "$word"))
    elif [[ COMP_CWORD -eq 1 && -n $word && -z $(compgen -f -- "$word") ]]; then
        COMPREPLY=($(compgen -W '` + strings.Join(Every.names(), " ") + `' -- "$word"))
    fi
}
complete -o default -F _urlsift urlsift
`)
	return b.String()
}

// wordsOf returns the words of row i of the table, and of the other rows of that name, which other
// subcommands have. again says that an earlier row has had them.
func wordsOf(i int) (words []string, again bool) {
	for k := range table {
		if table[k].long != table[i].long {
			continue
		}
		if k < i {
			return nil, true
		}
		for _, w := range table[k].words {
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	return words, false
}

// flagWords returns the flags of t as they are typed.
func flagWords(t Task) (words []string) {
	for f := range t.flags {
		words = append(words, "--"+f.long)
		if f.short != 0 {
			words = append(words, "-"+string(f.short))
		}
	}
	return words
}

// pattern returns the names of f as a pattern of bash's case.
func pattern(f *spec) string {
	if f.short != 0 {
		return "--" + f.long + "|-" + string(f.short)
	}
	return "--" + f.long
}

// fileArg is what the table calls values that are names of files.
const fileArg = "FILE"

// completeZsh returns a function for zsh, in the language of _arguments. Each flag is
// '*{-s,--long}[help]:what the value is:(words)'. The star means that it may be repeated;
// '=' after a long name and '+' after a short one mean that a value may follow in the
// same word. Brackets and colons in texts must be escaped.
func completeZsh() string {
	var b strings.Builder
	b.WriteString(`#compdef urlsift
# zsh completion of urlsift; put it as _urlsift in a folder of $fpath
local task=
(( CURRENT > 2 )) && task=$words[2]
case $task in
`)
	for _, s := range subcommands {
		b.WriteString(s.name + ")\n    ")
		switch s.task {
		case Completion:
			b.WriteString("_values shell bash zsh fish")
		case Help:
			b.WriteString("_values subcommand " + strings.Join(Every.names(), " "))
		default:
			// Words in front of CURRENT that are not flags, including the subcommand, are
			// arguments.
			b.WriteString("_arguments -s -S")
			zshFlags(&b, s.task)
			b.WriteString(" '*:reference:'")
		}
		b.WriteString("\n    ;;\n")
	}
	b.WriteString("*)\n    _arguments -s -S")
	zshFlags(&b, Find)
	b.WriteString(" '*:path:_files'\n    [[ $CURRENT == 2 && $words[2] != -* ]] && _values subcommand " + strings.Join(Every.names(), " ") + "\n    ;;\nesac\n")
	return b.String()
}

// zshFlags writes the flags of t as arguments of _arguments.
func zshFlags(b *strings.Builder, t Task) {
	escape := strings.NewReplacer(`'`, `'\''`, `[`, `\[`, `]`, `\]`, `:`, `\:`)
	for f := range t.flags {
		names := "--" + f.long
		switch {
		case f.arg != "":
			names += "="
		case f.forms != nil:
			names += "=-" // the value is in the same word, or absent
		}
		if f.short != 0 {
			short := "-" + string(f.short)
			if f.arg != "" {
				short += "+"
			}
			names = "'{" + short + "," + names + "}'"
		}
		b.WriteString(" \\\n    '*" + names + "[" + escape.Replace(f.help) + "]")
		if f.arg != "" {
			b.WriteString(":" + strings.ToLower(f.arg) + ":")
		}
		switch words := strings.Join(f.words, " "); {
		case f.separator != 0 && f.words != nil:
			b.WriteString("_values -s " + string(f.separator) + " " + strings.ToLower(f.arg) + " " + words)
		case words != "":
			b.WriteString("(" + words + ")")
		case f.arg == fileArg:
			b.WriteString("_files")
		case f.forms != nil:
			b.WriteString("::form:(" + strings.Join(f.forms, " ") + ")")
		}
		b.WriteString("'")
	}
}

// completeFish returns a list of commands for fish, one for each flag, or two if it
// applies to subcommands as well. -x says that a flag takes a value that is not a file;
// fish offers files by itself.
func completeFish() string {
	var b strings.Builder
	b.WriteString("# fish completion of urlsift; put it as urlsift.fish in fish's folder of completions\n")
	escape := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	all := strings.Join(Every.names(), " ")
	for i := range table {
		f := &table[i]
		line := " -l " + f.long
		if f.short != 0 {
			line = " -s " + string(f.short) + line
		}
		switch words := strings.Join(f.words, " "); {
		case f.separator != 0 && f.words != nil:
			line += " -x -a '(__fish_complete_list " + string(f.separator) + " \"printf %s\\\\n " + words + "\")'"
		case words != "":
			line += " -x -a '" + words + "'"
		case f.forms != nil:
			line += " -a '" + strings.Join(f.forms, " ") + "'"
		case f.arg == fileArg:
			line += " -r -F"
		case f.arg != "":
			line += " -x"
		}
		line += " -d '" + escape.Replace(f.help) + "'\n"
		if f.serves(Find) {
			b.WriteString("complete -c urlsift -n 'not __fish_seen_subcommand_from " + all + "'" + line)
		}
		if of := (f.on &^ Find).names(); len(of) > 0 {
			b.WriteString("complete -c urlsift -n '__fish_seen_subcommand_from " + strings.Join(of, " ") + "'" + line)
		}
	}
	for _, s := range subcommands {
		b.WriteString("complete -c urlsift -n __fish_is_first_arg -a " + s.name + " -d '" + escape.Replace(s.help) + "'\n")
	}
	b.WriteString("complete -c urlsift -n '__fish_seen_subcommand_from completion' -x -a 'bash zsh fish'\n")
	b.WriteString("complete -c urlsift -n '__fish_seen_subcommand_from help' -x -a '" + all + "'\n")
	return b.String()
}
