# Prints what zsh offers for a command line: zsh -f capture.zsh FOLDER LINE, where FOLDER has
# the function _urlsift. A second shell, on a terminal of its own, completes the line once
# and ends; compadd, which is called for all that is offered, prints it with "offer:" in front.
zmodload zsh/zpty || exit
print -r -- "fpath=(${(q)1} \$fpath)
autoload -Uz compinit; compinit -u -d ${(q)1}/dump
bindkey '^I' complete-word
comppostfuncs=(exit)
zstyle ':completion:*' list-separator ''
compadd() {
    if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then # it fills an array
        builtin compadd \"\$@\"
        return
    fi
    local -a offers
    local one
    builtin compadd -A offers \"\$@\"
    for one in \$offers; do print -r -- \"offer:\$IPREFIX\$one\"; done
}
PS1=; print rea''dy" >$1/setup.zsh
zpty inner zsh -f -i
zpty -w inner "source ${(q)1}/setup.zsh"
zpty -r inner text '*ready*'
zpty -w -n inner "$2"$'\t'
while zpty -r inner text; do # until the second shell ends
    for one in ${(f)text}; do
        [[ $one == *offer:* ]] && print -r -- ${${one#*offer:}%%$'\r'*}
    done
done
exit 0
