// Package lex has what the other packages of delimit share: the roles of bytes, white space,
// entities, the spelling of schemes, prefixes and escapes, and the answers of functions that
// examine text.
//
//	if lex.Roles[c].Has(lex.Ends) { ... } // the byte c ends a bare reference
//
// It has no state and imports nothing of this module. Rules are those of package delimit.
package lex
