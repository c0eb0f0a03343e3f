// Package record makes records of what package extract finds: JSON lines, CSV and TSV.
//
//	x, err := extract.New(extract.Options{})
//	if err != nil {
//		return err
//	}
//	e := record.New(record.Options{})
//	var line []byte
//	for r, err := range x.Run(ctx, extract.Walk("logs")) {
//		if err != nil {
//			log.Print(err) // the other inputs are read
//			continue
//		}
//		line = e.AppendJSON(line[:0], r)
//		os.Stdout.Write(line)
//	}
//
// A record is a Result as other programs read it. A field is a column of it: it has a name, a
// type, and a way in which it is taken from a Result. [Fields] returns them in order; they
// are defined in one table, from which all formats and the manual page of the command are
// made. A name never changes its meaning.
//
// In JSON a record is an object on a line of its own. A field that is empty, zero or false is
// absent, unless Field.Always says otherwise. In CSV and TSV each field is a cell, and an
// absent one is empty; [Table] says how cells are written. All records are UTF-8: bytes that
// are not become U+FFFD. JSON also escapes what would control a terminal.
//
// An [Encoder] appends to the caller's slice, which stays the caller's. It makes one record
// at a time and keeps some hundred KiB of what records have in common, not the input. The only limit
// is that of a Result: a record is a few times as long as the reference, its readings, and
// the names of where it stands.
package record
