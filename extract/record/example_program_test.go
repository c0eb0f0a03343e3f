package record_test

import (
	"context"
	"log"
	"os"
	"path/filepath"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// A table of the URLs of a folder, as urlsift --format csv --fields line,host,url prints it.
func Example() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	note := "See <http://www.example.org/a/\nb>, or ftp://ftp.example.com/pub/, if that is up.\n"
	if err := os.WriteFile(filepath.Join(folder, "note.txt"), []byte(note), 0o600); err != nil {
		log.Fatal(err)
	}

	columns, err := record.Select("line", "host", "url")
	if err != nil {
		log.Fatal(err)
	}
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	e := record.New(record.Options{Fields: columns})
	row := e.AppendCSVHeader(nil)
	os.Stdout.Write(row)
	for r, err := range x.Run(context.Background(), extract.Walk(folder)) {
		if err != nil {
			log.Print(err) // the error of one file; the others are still read
			continue
		}
		row = e.AppendCSV(row[:0], r)
		os.Stdout.Write(row)
	}
	// Output:
	// line,host,url
	// 1,www.example.org,http://www.example.org/a/b
	// 2,ftp.example.com,ftp://ftp.example.com/pub/
}
