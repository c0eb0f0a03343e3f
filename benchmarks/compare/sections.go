package main

import (
	"fmt"
	"slices"
	"strings"
)

// A section measures one promise and prints its tables.
type section struct {
	name string
	what string
	run  func(*bench) error
}

var sections []section

func init() { // not in the declaration, because the sections use the flag that lists them
	sections = []section{
		{"plain", "one worker over plain text, against the peers; ratio of speeds", measurePlain},
		{"scanner", "the scanner alone over text in memory, against linkify's links(); ratio of speeds", measureScanner},
		{"formats", "whole records as jsonl, csv and tsv, against text; ratio of times; goals of csv and tsv: to jsonl", measureFormats},
		{"packed", "compressed text, against decompressing alone with the same library; ratio of times", measurePacked},
		{"workers", "one file read by many workers, against one; ratio of speeds", measureWorkers},
		{"spool", "many small files, against the same articles as one mailbox; ratio of speeds", measureSpool},
		{"mail", "the MIME way, one worker; goal in MB of the file per second of processor time", measureMail},
		{"parsers", "mailboxes, one worker, beside libraries that parse mail; ratio of times", measureParsers},
		{"start", "an empty file, in milliseconds", measureStart},
		{"unique", "each URL once (-u), against the same without; ratio of times", measureUnique},
		{"growth", "time against size, one worker; the slope on a log-log paper", measureGrowth},
		{"hostile", "texts made to be slow, one worker, against prose, or mail where they are mail, of the same size; ratio of speeds", measureHostile},
	}
}

func names(all []section) string {
	var s []string
	for _, x := range all {
		s = append(s, x.name)
	}
	return strings.Join(s, ", ")
}

// choose returns the sections in list, which is separated by commas, in the order of the table.
func choose(list string) ([]section, error) {
	if list == "" {
		return sections, nil
	}
	want := strings.Split(list, ",")
	for _, w := range want {
		if !slices.ContainsFunc(sections, func(s section) bool { return s.name == w }) {
			return nil, fmt.Errorf("no section %q; there are %s", w, names(sections))
		}
	}
	var chosen []section
	for _, s := range sections {
		if slices.Contains(want, s.name) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}
