// Package octet has what the decoders of several formats need to know of single bytes:
//
//	octet.IsSpace('\t')                      // true
//	n := octet.CopyTo(dst, src, '=')         // copies up to the first '='
//	v := octet.Hex['F']                      // 15; 16 for a byte that is not a digit
//	v = octet.Base64['B'] - 1                // 1; Base64 is 0 for a byte outside of the alphabet
//	r := octet.Windows1252[0x80-0x80]        // '€'
//
// Its functions keep no slice and have no state. Each examines a byte once.
package octet
