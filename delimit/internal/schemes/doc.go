// Package schemes knows which schemes text uses, and whether a text begins like a reference with
// one of them (rules 1, 2, 14 and 22 in package delimit).
//
//	colon, ok := schemes.Rules{}.Begins(text, schemes.Usual)
//
// schemes.go has the tables: a scheme, its traits, and what must follow it.
package schemes
