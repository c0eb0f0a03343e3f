// Package habit has the spellings that are no references by the documents: defanged ones, as in
// hxxp://evil[.]example, and hosts without a scheme, as in www.example.org.
//
//	ref, ok := habit.Refang(nil, text)
//	scheme, _ := habit.Abbreviates(text)
package habit
