-- Records of urlsift in PostgreSQL 12 or later. Written by a test from the record's table of fields:
--   go test ./cmd/urlsift -run TestDocs -update

CREATE TABLE refs (
  "url" text NOT NULL,
  "text" text NOT NULL,
  "scheme" text,
  "host" text,
  "domain" text,
  "host_unicode" text,
  "target" text,
  "base" text,
  "base_from" text,
  "grammars" text[] NOT NULL,
  "valid" boolean NOT NULL,
  "error" text,
  "form" text NOT NULL,
  "prefix" boolean NOT NULL,
  "breaks" bigint,
  "tail" text,
  "by" text[],
  "readings" text,
  "warnings" text[],
  "source" text NOT NULL,
  "member" text,
  "message" bigint,
  "message_id" text,
  "subject" text,
  "from" text,
  "date" timestamptz,
  "date_text" text,
  "newsgroups" text,
  "part" text,
  "field" text,
  "offset" bigint NOT NULL,
  "length" bigint NOT NULL,
  "line" bigint NOT NULL,
  "column" bigint NOT NULL,
  "exact" boolean NOT NULL
);

-- What is copied into refs_csv, the rows of --format csv, goes to refs.
CREATE VIEW refs_csv AS SELECT
  "url",
  "text",
  "scheme",
  "host",
  "domain",
  "host_unicode",
  "target",
  "base",
  "base_from",
  array_to_string("grammars", ' ') AS "grammars",
  "valid",
  "error",
  "form",
  "prefix",
  "breaks",
  "tail",
  array_to_string("by", ' ') AS "by",
  "readings",
  array_to_string("warnings", ' ') AS "warnings",
  "source",
  "member",
  "message",
  "message_id",
  "subject",
  "from",
  "date",
  "date_text",
  "newsgroups",
  "part",
  "field",
  "offset",
  "length",
  "line",
  "column",
  "exact"
FROM refs;
CREATE FUNCTION refs_csv_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO refs SELECT
    coalesce(NEW."url", ''),
    coalesce(NEW."text", ''),
    NEW."scheme",
    NEW."host",
    NEW."domain",
    NEW."host_unicode",
    NEW."target",
    NEW."base",
    NEW."base_from",
    string_to_array(coalesce(NEW."grammars", ''), ' '),
    NEW."valid",
    NEW."error",
    coalesce(NEW."form", ''),
    NEW."prefix",
    NEW."breaks",
    NEW."tail",
    string_to_array(NEW."by", ' '),
    NEW."readings",
    string_to_array(NEW."warnings", ' '),
    coalesce(NEW."source", ''),
    NEW."member",
    NEW."message",
    NEW."message_id",
    NEW."subject",
    NEW."from",
    NEW."date",
    NEW."date_text",
    NEW."newsgroups",
    NEW."part",
    NEW."field",
    NEW."offset",
    NEW."length",
    NEW."line",
    NEW."column",
    NEW."exact"
  ;
  RETURN NEW;
END $$;
CREATE TRIGGER refs_csv_row INSTEAD OF INSERT ON refs_csv FOR EACH ROW EXECUTE FUNCTION refs_csv_row();

-- What is copied into refs_jsonl, the lines of --format jsonl, goes to refs.
CREATE VIEW refs_jsonl AS SELECT ''::text AS line WHERE false;
CREATE FUNCTION refs_jsonl_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO refs SELECT * FROM jsonb_populate_record(NULL::refs,
    replace(replace(replace(NEW.line, '\\', chr(1)), '\u0000', '\ufffd'), chr(1), '\\')::jsonb);
  RETURN NEW;
END $$;
CREATE TRIGGER refs_jsonl_line INSTEAD OF INSERT ON refs_jsonl FOR EACH ROW EXECUTE FUNCTION refs_jsonl_line();
