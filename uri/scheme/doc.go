// Package scheme splits references by the rules of their schemes, and makes references of
// such parts: the segments of an ftp path, the selector of a gopher menu, the address in a
// mailto.
//
//	s := "ftp://h/a%2Fb/c;type=I"
//	for _, f := range scheme.Fields(s, uri.Split(s), uri.URL1994) {
//		fmt.Println(f.Name, f.Value()) // among others: segments [a/b c]
//	}
//
//	var fields []scheme.Field
//	for _, part := range [][2]string{{"scheme", "gopher"}, {"host", "h.example"}} {
//		f, err := scheme.NewField("gopher", part[0], uri.URL1994, part[1])
//		if err != nil {
//			log.Fatal(err)
//		}
//		fields = append(fields, f)
//	}
//	ref, err := scheme.FromFields(fields, uri.URL1994)
//	fmt.Println(ref, err) // gopher://h.example, and no error
//
// # Words
//
//   - A field is a part that a scheme defines: a [Field] with a name and a kind of value.
//     Programs read the names, so they do not change.
//   - Data is text without escapes. [NewField] escapes it for its place.
//
// The documents of 1993 and 1994 define fields; for the others the rules of 1994 are used.
// [AppendFields] is the inverse of [Fields].
//
// # Ownership
//
// A [Field] holds a copy of its text, passwords included. Slices that methods return are new.
// AppendFields returns the extended dst, as append does.
//
// # Limits
//
// All functions take time linear in the length of the text. Errors about a reference are
// [*uri.Error], those about fields [*Error].
//
// Package uri has everything else about references, and is the only other package of this
// module that is imported.
package scheme
