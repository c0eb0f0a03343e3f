// Package record writes what package extract finds as records for other programs: lines of
// JSON, or rows of CSV or TSV. The command urlsift writes its records with it.
//
//	x, err := extract.New(extract.Options{Subjects: true})
//	if err != nil {
//		return err
//	}
//	e := record.New(record.Options{})
//	var line []byte
//	for r, err := range x.Run(ctx, extract.Walk("mail", "logs")) {
//		if err != nil {
//			log.Print(err) // the error of one source; the others are still read
//			continue
//		}
//		line = e.AppendJSON(line[:0], r)
//		os.Stdout.Write(line)
//	}
//
// # Words
//
//   - A record is what is known of one [extract.Result]: the URL, where it stood, what the
//     grammars say. JSON has an object on a line for it, CSV and TSV have a row.
//   - A [Field] is a part of the record, with a name and a [Type]. [Fields] returns all of
//     them, in order. They are defined in one table, fields.go, from which the formats, the
//     [Schema] and the documents are made. The name and meaning of a field never change.
//   - An [Encoder] makes records. [Options] chooses fields (see [Select]) and hides passwords.
//
// # What to know
//
// Some fields, such as subject, are there only if an option is set: see [Need]. With
// [extract.Extractor.Encode] and several workers the fields offset, line and message are
// not known: see there.
//
// In JSON a field that is empty, zero or false is absent, unless Field.Always is set. In CSV
// and TSV each field is a cell, which is empty if the field is absent; [Table] says how cells
// are written. All records are UTF-8: bytes that are not become U+FFFD. JSON escapes what
// would control a terminal; tables do so only with Options.Visible.
//
// # Memory
//
// An Encoder appends to a slice of the caller, which stays the caller's, and makes one
// record at a time. It stores a few hundred KiB of text that records have in common,
// however long the input is. A record is a few times as long as the reference, its
// readings, and the names of where it stands; [extract.Limits] and Delimit.MaxLen in
// [extract.Options] bound these.
//
// # The files
//
//	encoder.go       the Encoder
//	recorder.go      how records are made, in any syntax
//	json.go, table.go    the syntax of JSON, and of CSV and TSV
//	fields.go        the table of fields: how each value is taken from a Result
//	select.go        a choice of fields by their names
//	view.go          what fields take their values from
//	common.go        text that many records share: it is made once
//	domain.go        hosts as A-labels and in Unicode, and domains; internal/suffix has the public suffixes
//	host.go          text that references to one host share
//	position.go      offsets, line and column
//	escape.go, guard.go    escapes of JSON; characters that end a line for some programs
//	schema.go        the JSON Schema
package record
