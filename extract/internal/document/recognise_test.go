package document

import "testing"

// TestMarkup checks which first tags make a text a page or XML.
func TestMarkup(t *testing.T) {
	checkSniffer(t, sniffPage, map[string]treatment{
		"<!DOCTYPE html>": asHTML,
		"<!doctype HTML PUBLIC \"-//IETF//DTD HTML//EN\">": asHTML,
		"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>":     asHTML,
		"<!DOCTYPE linuxdoc system>\n<article>":            asXML,
		"<html>":                                           asHTML,
		"<html":                                            asHTML, // and no more
		"<head><title>":                                    asHTML,
		"<BODY bgcolor=white>":                             asHTML,
		"\n\t<script src='x'>":                             asHTML,
		"\ufeff<?xml version='1.0'?>":                      asXML,
		"<rss version=\"2.0\">":                            asXML,
		"<feed\nxmlns='x'>":                                asXML,
		"<urlset>":                                         asXML,
		"<sitemapindex>":                                   asXML,
		"<opml/>":                                          asXML,
		"<svg xmlns='x'>":                                  asXML,
		"<!-- a --> <!-- b -->\n<body>":                    asHTML,
		"---\nlayout: x\n---\n<script>":                    asHTML,
		"---\n---\n<body>":                                 asHTML,
		"---\r\ntitle: x\r\n---\r\n\r\n<body>":             asHTML,
		"{% extends \"x\" %}\n{% load y %}\n<body>":        asHTML,
		"<?php $x = 1; ?>\n<html lang=en>":                 asHTML,
		"<%@ page language=\"java\" %><html>":              asHTML,
		"":                                                 asText,
		"<p>a paragraph":                                   asText,
		"<div><body>":                                      asText,
		"<header>":                                         asText,
		"<feedback@a.example>":                             asText,
		"<bodybuilder>":                                    asText,
		"<rss@a.example> wrote":                            asText,
		"<?xml-stylesheet href='x'?>":                      asText,
		"<!doctypes>":                                      asText,
		"<!-- a comment":                                   asText,
		"<!-- a comment --> text <html>":                   asText,
		"---\nlayout: x\n---\ntext <html>":                 asText,
		"--- a/x.html\n+++ b/x.html\n<html>":               asText,
		"---\nname: x\n<html>\n":                           asText,
		"{% extends \"x\" %}\n<div>":                       asText,
		"<?php echo '<html>';":                             asText,
		"{a}<html>":                                        asText,
		"see <html> and <body>":                            asText,
	})
}

// TestLDIF checks which texts are LDIF.
func TestLDIF(t *testing.T) {
	checkSniffer(t, sniffLDIF, map[string]treatment{
		"dn: cn=jo,dc=example\nlabeledURI: http://a.example/\n": asLDIF,
		"dn:: Y249w6k=\n":                        asLDIF,
		"# an export\r\n\r\nDN: dc=example\r\n":  asLDIF,
		"version: 1\n\ndn: dc=example\n":         asLDIF,
		"dn: dc=example":                         asLDIF,
		"dn: nothing\n":                          asText,
		"version: 1\nurls:\n - http://a.example": asText,
		"version: 2\ndn: dc=example\n":           asText,
		"#!/bin/sh\necho dn: dc=example\n":       asText,
		"# a comment":                            asText,
		"dns: a=b\n":                             asText,
		"":                                       asText,
	})
}

// TestCard checks which texts are calendars and cards.
func TestCard(t *testing.T) {
	checkSniffer(t, sniffCard, map[string]treatment{
		"BEGIN:VCALENDAR\r\nVERSION:2.0": asFolded,
		"begin:vcard\nversion:2.1":       asFolded,
		"BEGIN:VCARD \n":                 asFolded,
		"BEGIN:VCARD":                    asText,
		"BEGIN:VCARDS\n":                 asText,
		"BEGIN:VEVENT\n":                 asText,
		" BEGIN:VCARD\n":                 asText,
		"BEGIN\n":                        asText,
		"":                               asText,
	})
}

// checkSniffer checks the answer of sniff for each text. While more bytes may change it, no beginning
// of the text has another answer than the whole.
func checkSniffer(t *testing.T, sniff func([]byte, bool) (treatment, byte, bool), texts map[string]treatment) {
	t.Helper()
	for text, want := range texts {
		if as, _, wait := sniff([]byte(text), true); as != want || wait {
			t.Errorf("%q: treatment %d, wait %t; want %d", text, as, wait, want)
		}
		for n := range text {
			if as, _, wait := sniff([]byte(text[:n]), false); !wait && as != want {
				t.Errorf("the first %d bytes of %q: treatment %d; want %d, or to wait", n, text, as, want)
			}
		}
	}
}
