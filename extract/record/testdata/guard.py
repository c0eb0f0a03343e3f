"""Read a table from standard input as a dialect of the csv module; print its rows as JSON."""
import csv
import io
import json
import sys

dialect, separator = sys.argv[1], sys.argv[2].replace("\\t", "\t")
text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", newline="").read()
if dialect == "none":
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=csv.QUOTE_NONE)
elif dialect == "lines":
    reader = csv.reader(text.splitlines(), delimiter=separator)
elif dialect == "unquoted-lines":
    reader = csv.reader(text.splitlines(), delimiter=separator, quoting=csv.QUOTE_NONE)
elif dialect == "sniffed":
    # Guess the dialect from the header and the first records, which are ordinary. If it were
    # guessed from apostrophes in the data, no guard would work.
    sniffed = csv.Sniffer().sniff("".join(text.splitlines(True)[:4]), delimiters=separator)
    reader = csv.reader(io.StringIO(text, newline=""), sniffed)
else:
    reader = csv.reader(io.StringIO(text, newline=""), dialect, delimiter=separator)
json.dump(list(reader), sys.stdout)
