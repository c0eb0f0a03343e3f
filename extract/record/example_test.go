package record_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// find returns the results in text.
func find(text string) (found []extract.Result) {
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	sources := func(yield func(extract.Source) bool) {
		yield(extract.Source{Name: "note.txt", Size: -1, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(text)), nil
		}})
	}
	for r, err := range x.Run(context.Background(), sources) {
		if err != nil {
			log.Fatal(err)
		}
		found = append(found, r.Clone())
	}
	return found
}

// Records are appended to a slice that is reused.
func ExampleEncoder_AppendJSON() {
	e := record.New(record.Options{})
	var line []byte
	for _, r := range find("See <http://example.org/a> and http://example.org/b.") {
		line = e.AppendJSON(line[:0], &r)
		os.Stdout.Write(line)
	}
	// Output:
	// {"url":"http://example.org/a","text":"http://example.org/a","scheme":"http","host":"example.org","domain":"example.org","grammars":["url-1993","url-1994","url-1996","url-1997","uri-2002","rfc3986"],"valid":true,"form":"angle","prefix":false,"source":"note.txt","offset":5,"length":20,"line":1,"column":6,"exact":true}
	// {"url":"http://example.org/b","text":"http://example.org/b","scheme":"http","host":"example.org","domain":"example.org","grammars":["url-1993","url-1994","url-1996","url-1997","uri-2002","rfc3986"],"valid":true,"form":"none","prefix":false,"tail":".","readings":[{"text":"http://example.org/b.","reason":"tail"}],"source":"note.txt","offset":31,"length":20,"line":1,"column":32,"exact":true}
}

// A table of some columns, without passwords.
func ExampleSelect() {
	columns, err := record.Select("source", "line", "url")
	if err != nil {
		log.Fatal(err)
	}
	e := record.New(record.Options{Fields: columns, Redact: true})
	table := e.AppendCSVHeader(nil)
	for _, r := range find("ftp://me:secret@example.org/\nhttp://example.org/a,b") {
		table = e.AppendCSV(table, &r)
	}
	fmt.Print(string(table))
	// Output:
	// source,line,url
	// note.txt,1,ftp://me:***@example.org/
	// note.txt,2,"http://example.org/a,b"
}

// A name that no field has is an error that has the name.
func ExampleNameError() {
	_, err := record.Select("url", "hots")
	var e *record.NameError
	if errors.As(err, &e) {
		fmt.Println("no field:", e.Name)
	}
	// Output: no field: hots
}

// Fields returns the fields from which Select chooses.
func ExampleFields() {
	for _, f := range record.Fields()[:3] {
		fmt.Printf("%s (%s): %s\n", f.Name, f.Type(), f.Document())
	}
	// Output:
	// url (string): the reference, with the characters escaped that the grammar does not accept (rule 15 of delimiting); always there
	// text (string): the reference as the text has it, joined where it was wrapped; always there
	// scheme (string): the scheme of target, or else of url, in lower case (RFC 3986, section 3.1)
}

// A Table writes the cells of other tables by the same rules.
func ExampleTable() {
	t := record.Table{Guard: true}
	fmt.Printf("%s\n", t.AppendCell(nil, []byte("=1+1, or two")))
	// Output: "'=1+1, or two"
}

// A program adds a column of its own to the records, in the format that the user has chosen.
func ExampleTable_Separator() {
	for _, tabs := range []bool{false, true} {
		t := record.Table{Tabs: tabs}
		var row []byte
		for i, cell := range []string{"http://example.org/", "seen, twice"} {
			if i > 0 {
				row = append(row, t.Separator())
			}
			row = t.AppendCell(row, []byte(cell))
		}
		fmt.Printf("%q\n", row)
	}
	// Output:
	// "http://example.org/,\"seen, twice\""
	// "http://example.org/\tseen, twice"
}

// The schema describes a JSON record, for programs that validate it.
func ExampleSchema() {
	var schema struct {
		Schema     string `json:"$schema"`
		Properties map[string]struct {
			Type string
		}
	}
	if err := json.Unmarshal(record.Schema(), &schema); err != nil {
		log.Fatal(err)
	}
	fmt.Println(schema.Schema)
	fmt.Println("offset:", schema.Properties["offset"].Type)
	fmt.Println("exact:", schema.Properties["exact"].Type)
	// Output:
	// https://json-schema.org/draft/2020-12/schema
	// offset: integer
	// exact: boolean
}

// A date must be in a form that RFC 5322 or an older document defines, and must be plausible for
// mail; otherwise there is no date.
func ExampleDate() {
	for _, field := range []string{
		"Fri, 21 Nov 1997 09:55:06 -0600",
		"Friday, 21-Nov-97 15:55:06 GMT",
		"Fri, 21 Nov 2997 09:55:06 -0600",
		"last Friday",
	} {
		t, ok := record.Date(&extract.Origin{Fields: extract.Fields{Date: field}})
		if !ok {
			fmt.Println("none:", field)
			continue
		}
		fmt.Println(t.Format(time.RFC3339))
	}
	// Output:
	// 1997-11-21T15:55:06Z
	// 1997-11-21T15:55:06Z
	// none: Fri, 21 Nov 2997 09:55:06 -0600
	// none: last Friday
}

// Hosts of one owner have the same domain.
func ExampleDomain() {
	for _, host := range []string{"www.example.co.uk", "FTP.Example.co.uk", "lists.example.org", "co.uk", "localhost"} {
		fmt.Printf("%q\n", record.Domain(host))
	}
	// Output:
	// "example.co.uk"
	// "example.co.uk"
	// "example.org"
	// ""
	// ""
}

// The name of a file may contain any bytes. AppendVisible escapes control characters for a
// terminal.
func ExampleAppendVisible() {
	for _, name := range []string{"b\u00fccher.txt", "\x1b[2Jcleared", "two\nlines", "gpj.\u202etxt", "\xfflatin1"} {
		fmt.Printf("%s\n", record.AppendVisible(nil, name))
	}
	// Output:
	// bücher.txt
	// \x1b[2Jcleared
	// two\x0alines
	// gpj.\xe2\x80\xaetxt
	// \xfflatin1
}

// Columns that are separated by tabs.
func ExampleEncoder_AppendTSV() {
	columns, err := record.Select("offset", "url", "tail")
	if err != nil {
		log.Fatal(err)
	}
	e := record.New(record.Options{Fields: columns})
	table := e.AppendTSVHeader(nil)
	for _, r := range find("See http://example.org/a.") {
		table = e.AppendTSV(table, &r)
	}
	fmt.Printf("%q\n", table)
	// Output: "offset\turl\ttail\n4\thttp://example.org/a\t.\n"
}

// The names of the columns of a table.
func ExampleNames() {
	var columns []record.Field
	for _, f := range record.Fields() {
		if f.Always {
			columns = append(columns, f)
		}
	}
	fmt.Println(record.Names(columns)[:3])
	// Output: [url text grammars]
}

// A string of JSON, as records have it: bytes that are no UTF-8 are replaced.
func ExampleAppendString() {
	fmt.Printf("%s\n", record.AppendString(nil, "a \"quote\",\x01 and \xff"))
	// Output: "a \"quote\",\u0001 and �"
}

// A host beyond ASCII has several spellings. Records have the one that the DNS has.
func ExampleHostNames() {
	for _, name := range []string{"www.m\u00fcller.de", "WWW.M%C3%BCLLER.de", "www.xn--mller-kva.de", "example.org"} {
		fmt.Println(record.HostNames(name))
	}
	// Output:
	// www.xn--mller-kva.de www.müller.de
	// www.xn--mller-kva.de www.müller.de
	// www.xn--mller-kva.de www.müller.de
	// example.org example.org
}

// The domain of each reference, for programs that group by it.
func ExampleAppendDomain() {
	var domain []byte
	for _, r := range find("http://www.example.co.uk/ and http://192.0.2.1/") {
		domain = record.AppendDomain(domain[:0], &r)
		fmt.Printf("%s: %q\n", r.URL, domain)
	}
	// Output:
	// http://www.example.co.uk/: "example.co.uk"
	// http://192.0.2.1/: ""
}

// The host of each reference in both of its spellings.
func ExampleAppendHost() {
	var ascii, unicode []byte
	for _, r := range find("http://www.m%C3%BCller.de/ and http://example.org/") {
		ascii, unicode = record.AppendHost(ascii[:0], &r), record.AppendHostUnicode(unicode[:0], &r)
		fmt.Printf("%s: %q %q\n", r.URL, ascii, unicode)
	}
	// Output:
	// http://www.m%C3%BCller.de/: "www.xn--mller-kva.de" "www.müller.de"
	// http://example.org/: "example.org" ""
}

// References that a program leaves out because something is suspicious about them.
func ExampleSuspicionOf() {
	var port record.Suspicion
	if err := port.UnmarshalText([]byte("port")); err != nil {
		log.Fatal(err)
	}
	for _, r := range find("http://h.example:25/ and https://t.co/AbC") {
		s := record.SuspicionOf(&r)
		fmt.Println(s, s&port != 0)
	}
	// Output:
	// port true
	// rewritten false
}

// Need is called before the Extractor is made, with the fields that will be printed.
func ExampleNeed() {
	fields, err := record.Select("url", "subject")
	if err != nil {
		fmt.Println(err)
		return
	}
	var options extract.Options
	record.Need(fields, &options)
	fmt.Println(options.Subjects)
	// Output: true
}
