package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/record"
)

// Several files are generated from the table of fields of the record: the table in doc/record.md, a script for each database
// that creates a table of references and loads it, and the schema in the package for Spark. TestDocs compares them with the
// fields; with -update it writes them.

var update = flag.Bool("update", false, "write what is generated in doc anew")

// generated has the files and the functions that generate them. In a file with marks, only the text
// between the marks is generated.
var generated = []struct {
	name string
	text func() string
}{
	{"record.md", fieldTable},
	{"sqlite.sql", sqliteScript},
	{"postgres.sql", postgresScript},
	{"duckdb.sql", duckdbScript},
	{"../../urlsift-spark/src/urlsift_spark/record.schema.json", func() string { return string(record.Schema()) }},
}

const beginMark, endMark = "<!-- generated: fields -->\n", "<!-- end of generated -->\n"

func TestDocs(t *testing.T) {
	for _, doc := range generated {
		path := filepath.Join("doc", doc.name)
		now, err := os.ReadFile(path)
		if err != nil && !*update {
			t.Error(err)
			continue
		}
		want := doc.text()
		if before, rest, ok := strings.Cut(string(now), beginMark); ok {
			_, after, ok := strings.Cut(rest, endMark)
			if !ok {
				t.Errorf("%s: there is no %q", path, endMark)
				continue
			}
			want = before + beginMark + want + endMark + after
		} else if strings.HasSuffix(path, ".md") {
			t.Errorf("%s: there is no %q", path, beginMark)
			continue
		}
		switch {
		case string(now) == want:
		case *update:
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s is not what the fields of extract/record say; write it anew: go test ./cmd/urlsift -run TestDocs -update", path)
		}
	}
}

// fieldTable returns the table of fields in Markdown.
func fieldTable() string {
	var b strings.Builder
	b.WriteString("| field | type | always | what |\n| --- | --- | --- | --- |\n")
	for _, f := range record.Fields() {
		always := ""
		if f.Always {
			always = "yes"
		}
		what := f.Description
		if f.Section != "" {
			what += " (" + f.Section + ")"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Name, f.Type(), always, strings.ReplaceAll(what, "|", `\|`))
	}
	return b.String()
}

// byType has the name that a database gives to each type of field.
type byType map[record.Type]string

// columnsOf returns a line for each field, as line makes it, joined by commas.
func columnsOf(indent string, line func(record.Field) string) string {
	var lines []string
	for _, f := range record.Fields() {
		lines = append(lines, indent+line(f))
	}
	return strings.Join(lines, ",\n") + "\n"
}

// notNull returns the constraint of a field that no record omits.
func notNull(f record.Field) string {
	if f.Always {
		return " NOT NULL"
	}
	return ""
}

// ofText reports whether an absent value and an empty value of f are both written as an empty cell.
func ofText(f record.Field) bool { return f.Type() == record.String && f.Always }

// about returns the comment at the top of each script.
func about(database string) string {
	return "-- Records of urlsift in " + database + ". Written by a test from the record's table of fields:\n" +
		"--   go test ./cmd/urlsift -run TestDocs -update\n\n"
}

// unescapeNUL returns an SQL expression for a line of JSON in which \u0000 is replaced by U+FFFD,
// as in the table, because no database accepts NUL. During the replacement an escaped backslash is
// one character that occurs in no line, so that it is not read as part of another escape.
func unescapeNUL(line, one string) string {
	return fmt.Sprintf(`replace(replace(replace(%s, '\\', %s), '\u0000', '\ufffd'), %[2]s, '\\')`, line, one)
}

// sqliteScript returns the script for SQLite, which has no booleans, times or lists. They are
// stored as 0 and 1, as text that its date functions accept, and as JSON arrays.
func sqliteScript() string {
	types := byType{record.String: "TEXT", record.Integer: "INTEGER", record.Boolean: "BOOLEAN", record.Strings: "TEXT",
		record.Readings: "TEXT", record.Inners: "TEXT", record.Timestamp: "TEXT"}
	column := func(f record.Field) string {
		s := fmt.Sprintf("%q %s%s", f.Name, types[f.Type()], notNull(f))
		switch f.Type() {
		case record.Boolean:
			s += fmt.Sprintf(" CHECK (%q IN (0, 1))", f.Name)
		case record.Timestamp:
			s += fmt.Sprintf(" CHECK (%q IS NULL OR julianday(%[1]q) IS NOT NULL)", f.Name)
		case record.Strings:
			s += fmt.Sprintf(" CHECK (%q IS NULL OR json_valid(%[1]q))", f.Name)
		}
		return s
	}
	cell := func(f record.Field) string {
		at := fmt.Sprintf("NEW.%q", f.Name)
		switch {
		case ofText(f):
			return at
		case f.Type() == record.Boolean:
			return fmt.Sprintf("CASE %s WHEN 'true' THEN 1 WHEN 'false' THEN 0 END", at)
		case f.Type() == record.Strings:
			empty := "NULL"
			if f.Always {
				empty = "'[]'"
			}
			return fmt.Sprintf(`CASE %s WHEN '' THEN %s ELSE '["' || replace(replace(replace(%[1]s, '\', '\\'), '"', '\"'), ' ', '","') || '"]' END`, at, empty)
		}
		return fmt.Sprintf("nullif(%s, '')", at)
	}
	return about("SQLite 3.38 or later") +
		"CREATE TABLE refs (\n" + columnsOf("  ", column) + ");\n\n" +
		"-- What is inserted into refs_csv, a row of --format csv, goes to refs.\n" +
		"CREATE VIEW refs_csv AS SELECT * FROM refs;\n" +
		"CREATE TRIGGER refs_csv_row INSTEAD OF INSERT ON refs_csv BEGIN\n  INSERT INTO refs SELECT\n" +
		columnsOf("    ", cell) + "  ;\nEND;\n\n" +
		"-- What is inserted into refs_jsonl, a line of --format jsonl, goes to refs.\n" +
		"CREATE VIEW refs_jsonl AS SELECT '' AS line WHERE false;\n" +
		"CREATE TRIGGER refs_jsonl_line INSTEAD OF INSERT ON refs_jsonl BEGIN\n  INSERT INTO refs SELECT\n" +
		columnsOf("    ", func(f record.Field) string { return "json_extract(j, '$." + f.Name + "')" }) +
		"  FROM (SELECT " + unescapeNUL("NEW.line", "char(1)") + " AS j);\nEND;\n"
}

// postgresScript returns the script for PostgreSQL.
func postgresScript() string {
	types := byType{record.String: "text", record.Integer: "bigint", record.Boolean: "boolean", record.Strings: "text[]",
		record.Readings: "text", record.Inners: "text", record.Timestamp: "timestamptz"}
	cell := func(f record.Field) string {
		at := fmt.Sprintf("NEW.%q", f.Name)
		switch {
		case ofText(f):
			return fmt.Sprintf("coalesce(%s, '')", at)
		case f.Type() == record.Strings && f.Always:
			return fmt.Sprintf("string_to_array(coalesce(%s, ''), ' ')", at)
		case f.Type() == record.Strings:
			return fmt.Sprintf("string_to_array(%s, ' ')", at)
		}
		return at
	}
	view := func(f record.Field) string {
		if f.Type() == record.Strings {
			return fmt.Sprintf("array_to_string(%q, ' ') AS %[1]q", f.Name)
		}
		return fmt.Sprintf("%q", f.Name)
	}
	return about("PostgreSQL 12 or later") +
		"CREATE TABLE refs (\n" +
		columnsOf("  ", func(f record.Field) string { return fmt.Sprintf("%q %s%s", f.Name, types[f.Type()], notNull(f)) }) + ");\n\n" +
		"-- What is copied into refs_csv, the rows of --format csv, goes to refs.\n" +
		"CREATE VIEW refs_csv AS SELECT\n" + columnsOf("  ", view) + "FROM refs;\n" +
		"CREATE FUNCTION refs_csv_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN\n  INSERT INTO refs SELECT\n" +
		columnsOf("    ", cell) + "  ;\n  RETURN NEW;\nEND $$;\n" +
		"CREATE TRIGGER refs_csv_row INSTEAD OF INSERT ON refs_csv FOR EACH ROW EXECUTE FUNCTION refs_csv_row();\n\n" +
		"-- What is copied into refs_jsonl, the lines of --format jsonl, goes to refs.\n" +
		"CREATE VIEW refs_jsonl AS SELECT ''::text AS line WHERE false;\n" +
		"CREATE FUNCTION refs_jsonl_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN\n" +
		"  INSERT INTO refs SELECT * FROM jsonb_populate_record(NULL::refs,\n    " + unescapeNUL("NEW.line", "chr(1)") + "::jsonb);\n  RETURN NEW;\nEND $$;\n" +
		"CREATE TRIGGER refs_jsonl_line INSTEAD OF INSERT ON refs_jsonl FOR EACH ROW EXECUTE FUNCTION refs_jsonl_line();\n"
}

// duckdbScript returns the script for DuckDB, which reads the files directly.
func duckdbScript() string {
	types := byType{record.String: "VARCHAR", record.Integer: "BIGINT", record.Boolean: "BOOLEAN", record.Strings: "VARCHAR[]",
		record.Readings: `STRUCT("text" VARCHAR, reason VARCHAR)[]`, record.Inners: `STRUCT(url VARCHAR, "by" VARCHAR)[]`, record.Timestamp: "TIMESTAMPTZ"}
	column := func(json bool) func(record.Field) string {
		return func(f record.Field) string {
			t := types[f.Type()]
			if !json && strings.HasSuffix(t, "[]") {
				t = "VARCHAR"
			}
			return fmt.Sprintf("%q: '%s'", f.Name, t)
		}
	}
	cell := func(f record.Field) string {
		switch {
		case ofText(f):
			return fmt.Sprintf("coalesce(%q, '') AS %[1]q", f.Name)
		case f.Type() == record.Strings && f.Always:
			return fmt.Sprintf("coalesce(string_split(%q, ' '), []) AS %[1]q", f.Name)
		case f.Type() == record.Strings:
			return fmt.Sprintf("string_split(%q, ' ') AS %[1]q", f.Name)
		}
		return fmt.Sprintf("%q", f.Name)
	}
	return about("DuckDB 1.1 or later") +
		"-- The records of a file that --format csv has written.\n" +
		"CREATE MACRO refs_csv(file) AS TABLE SELECT\n" + columnsOf("  ", cell) +
		"FROM read_csv(file, auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', columns = {\n" +
		columnsOf("  ", column(false)) + "});\n\n" +
		"-- The records of a file that --format jsonl has written.\n" +
		"CREATE MACRO refs_jsonl(file) AS TABLE SELECT * FROM read_json(file, format = 'newline_delimited', columns = {\n" +
		columnsOf("  ", column(true)) + "});\n"
}
