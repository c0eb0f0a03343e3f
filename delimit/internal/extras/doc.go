// Package extras has spellings of references that the documents do not define: defanged ones,
// as in hxxp://evil[.]example, and hosts without a scheme, as in www.example.org.
//
//	ref, ok := extras.Refang(nil, text)
//	scheme, _ := extras.Abbreviates(text)
package extras
