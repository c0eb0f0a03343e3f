// Command gen makes rules.txt of package suffix from the public suffix list, in the folder
// that it runs in.
//
//	go run ./gen < public_suffix_list.dat
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// main reads the list from standard input and writes rules.txt: one rule a line, sorted, in
// ASCII, without comments.
func main() {
	var rules []string
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		rule, _, _ := strings.Cut(strings.TrimSpace(in.Text()), " ")
		if rule == "" || strings.HasPrefix(rule, "//") {
			continue
		}
		mark := ""
		for _, m := range []string{"!", "*."} {
			if rest, ok := strings.CutPrefix(rule, m); ok {
				mark, rule = m, rest
			}
		}
		ascii, err := idna.ToASCII(rule)
		if err != nil {
			fmt.Fprintln(os.Stderr, "gen:", rule, err)
			os.Exit(1)
		}
		rules = append(rules, mark+ascii)
	}
	if len(rules) < 5000 {
		fmt.Fprintln(os.Stderr, "gen: standard input has no public suffix list")
		os.Exit(1)
	}
	slices.Sort(rules)
	if err := os.WriteFile("rules.txt", []byte(strings.Join(slices.Compact(rules), "\n")+"\n"), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
