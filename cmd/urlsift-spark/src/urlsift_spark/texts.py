"""The work of a task on a column of texts: one urlsift reads them all, and each row gets its key.

The texts of a partition go to standard input as one stream in which each text stays separate:

- Texts of a known kind are the records of a web archive (WARC). A record has its length in front,
  so no text can end another one, and its type, so the first bytes of a text decide nothing.
- Texts that urlsift shall recognise itself are the members of a tar archive.

Nothing is written to disk. The offset of a URL in the stream, or the name of its member, says from
which text it is. For that the starts and the keys of the texts are kept until the process ends. When
they take more than KEPT bytes, the process gets the end of its input, and the next texts go to
another one, so memory does not grow with the partition.
"""

from __future__ import annotations

import abc
import bisect
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from . import process, rows, schema
from .flags import FORMAT
from .scan import executable

KEPT = 64 << 20  # bytes that are kept of the texts of a process, without the texts themselves
PIECE = 8 << 20  # bytes of texts that are written at a time, unless a single text is longer

# How texts are read, and the type of their records. "auto" leaves it to urlsift.
TYPES = {"plain": "text/plain", "html": "text/html", "markdown": "text/markdown"}
AUTO = "auto"

_BLOCK = 512  # of a tar archive
_DIGITS = 12  # of the name of a member

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Texts:
    """How the texts of a column are read. It is the same for all tasks.

    The last column of the input has the texts, and the others are the keys. program, flags, jobs
    and warnings are those of scan.Scan; kind is one of TYPES, or AUTO; source is the name that records have.
    """

    program: str
    kind: str
    source: str
    flags: tuple[str, ...] = ()
    jobs: int = 1
    warnings: bool = False

    def batches(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the rows for the texts of a partition."""
        yield from self.read(executable(self.program), batches)

    def read(self, program: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the rows for some texts: those of a text in their order, and the texts in theirs."""
        pieces = _pieces(batches)
        for first in pieces:  # each iteration reads at least one piece
            yield from self._run(program, first, pieces)

    def _run(self, program: str, first: pa.RecordBatch, more: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of one process, which reads pieces until there are no more, or KEPT is reached."""
        stream: _Warc | _Tar = _Tar() if self.kind == AUTO else _Warc(TYPES[self.kind])
        # The flags of the user come last, as in scan.
        argv = [program, *FORMAT, "--jobs", str(self.jobs), "--source-name", self.source, *stream.flags, "-"]
        fields = [f.with_nullable(True) for f in list(first.schema)[:-1]]  # a row of statistics has no key
        for output in process.run([*argv, *self.flags], lambda to: stream.feed(to, first, more)):
            match output:
                case process.Lines(text):
                    for batch in rows.records(text):
                        for part, of_part in stream.records(batch):
                            yield _join(fields, of_part, part)
                case process.Messages(objects):
                    for message in objects:
                        if self.warnings or message["severity"] == "error":
                            keys = stream.locate(message)
                            yield _join(fields, keys, rows.messages([message]))
                case process.Stats(stats):
                    if not stream.whole:
                        raise process.ProgramError(f"{program}: it ended before the end of its input")
                    yield _join(fields, None, rows.totals(stream.counted(stats)))


@dataclass(frozen=True)
class _Piece:
    """What is kept of some texts after they were written."""

    keys: pa.RecordBatch
    places: Integers  # of the texts in the stream, in ascending order
    lines: Integers  # line ends in the stream in front of each text

    def keys_of(self, texts: Integers) -> list[pa.Array]:
        """Return the columns of keys for texts of the piece, by their numbers in it."""
        indices = pa.array(texts)
        return [column.take(indices) for column in self.keys.columns]


class _Stream(abc.ABC):
    """The texts that are written to a process.

    The thread that writes appends a piece before it writes the piece; the thread that reads finds
    the text of a row in the list. So each row has its piece in the list before it is read.
    """

    end: bytes  # of the stream
    flags: tuple[str, ...]  # of urlsift, for such a stream

    def __init__(self) -> None:
        self.pieces: list[_Piece] = []
        self.texts = 0
        self.text_bytes = 0
        self.whole = False  # whether the end of the stream was written

    def feed(self, to: IO[bytes], first: pa.RecordBatch, more: Iterator[pa.RecordBatch]) -> None:
        """Write pieces until there are no more, or enough is kept of them."""
        kept = 0
        batch: pa.RecordBatch | None = first
        while batch is not None:  # a piece in each iteration
            texts = pc.cast(batch.column(batch.num_columns - 1), pa.large_binary())
            sizes = _numbers(pc.binary_length(texts))
            data, places, lines = self.pack(texts, sizes)
            piece = _Piece(batch.select(range(batch.num_columns - 1)), places, lines)
            self.pieces.append(piece)
            self.texts += len(sizes)
            self.text_bytes += int(sizes.sum())
            process.write(to, data)
            kept += piece.keys.nbytes + places.nbytes + lines.nbytes
            batch = next(more, None) if kept < KEPT else None
        process.write(to, self.end)
        self.whole = True

    def records(self, batch: pa.RecordBatch) -> Iterator[tuple[pa.RecordBatch, list[pa.Array]]]:
        """Yield records, with places in their texts, and the keys of these."""
        batch, places = self.places(batch)
        of_piece = np.searchsorted([p.places[0] for p in self.pieces], places, side="right") - 1
        # The output has the order of the input, so the records of a piece follow one another.
        bounds = [0, *(np.flatnonzero(np.diff(of_piece)) + 1).tolist(), len(places)]
        for begin, end in itertools.pairwise(bounds):
            piece = self.pieces[of_piece[begin]]
            texts = np.searchsorted(piece.places, places[begin:end], side="right") - 1
            yield self.inside(batch.slice(begin, end - begin), piece, texts), piece.keys_of(texts)

    def locate(self, message: dict[str, Any]) -> list[pa.Array] | None:
        """Return the keys of the text that a message is about, and make its place one in the text."""
        place = self.place(message)
        if place is None:
            return None
        piece = self.pieces[bisect.bisect_right(self.pieces, place, key=lambda p: int(p.places[0])) - 1]
        text = int(np.searchsorted(piece.places, place, side="right")) - 1
        self.settle(message, piece, text)
        return piece.keys_of(np.array([text]))

    @abc.abstractmethod
    def pack(self, texts: pa.Array, sizes: Integers) -> tuple[memoryview, Integers, Integers]:
        """Return texts as a part of the stream, their places in it, and the line ends in front of each."""

    @abc.abstractmethod
    def places(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, Integers]:
        """Return records without what only the stream has, and their places in the stream."""

    @abc.abstractmethod
    def inside(self, batch: pa.RecordBatch, piece: _Piece, texts: Integers) -> pa.RecordBatch:
        """Return records of texts of a piece with offsets and lines of the texts."""

    @abc.abstractmethod
    def place(self, message: dict[str, Any]) -> int | None:
        """Return the place of a message in the stream, and remove from it what only the stream has."""

    @abc.abstractmethod
    def settle(self, message: dict[str, Any], piece: _Piece, text: int) -> None:
        """Make the offset and the line of a message those of the text."""

    @abc.abstractmethod
    def counted(self, stats: dict[str, Any]) -> dict[str, Any]:
        """Return statistics in which each text is a source, and without the stream around the texts."""


class _Warc(_Stream):
    """Texts as the records of a web archive. The place of a text is the offset of its first byte."""

    end = b""
    # Without the fields that only a record of a web archive has, which cost time.
    flags = (
        "--as",
        "warc",
        "--fields",
        ",".join(name for name in schema.RECORD_ARROW.names if name not in ("message", "part", "warc_type")),
    )

    def __init__(self, media_type: str) -> None:
        super().__init__()
        self._header = (
            f"WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: {media_type}; charset=utf-8\r\nContent-Length: "
        ).encode()
        self._at = 0  # bytes of the records so far
        self._line = 0  # line ends in them

    def pack(self, texts: pa.Array, sizes: Integers) -> tuple[memoryview, Integers, Integers]:
        """Return texts as records."""
        joined = pc.binary_join_element_wise(
            _scalar(self._header),
            pc.cast(pc.cast(pa.array(sizes), pa.string()), pa.large_binary()),
            _scalar(b"\r\n\r\n"),
            texts,
            _scalar(b"\r\n\r\n"),
            _scalar(b""),  # the separator
        )
        data, ends = _content(joined)
        places = self._at + ends - 4 - sizes
        inside = _numbers(pc.count_substring(texts, b"\n"))
        in_header = self._header.count(b"\n") + 2
        lines = self._line + np.cumsum(in_header + inside + 2) - inside - 2
        self._at += len(data)
        self._line = int(lines[-1] + inside[-1] + 2)
        return data, places, lines

    def places(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, Integers]:
        """Return records, and their offsets."""
        return batch, _numbers(batch.column("offset"))

    def inside(self, batch: pa.RecordBatch, piece: _Piece, texts: Integers) -> pa.RecordBatch:
        """Return records with offsets and lines of the texts."""
        offsets = _numbers(batch.column("offset")) - piece.places[texts]
        lines = _numbers(batch.column("line")) - piece.lines[texts]
        return _replace(batch, offset=pa.array(offsets), line=pa.array(lines))

    def place(self, message: dict[str, Any]) -> int | None:
        """Return the offset of a message."""
        for name in ("message", "part"):
            message.pop(name, None)
        return message.get("offset")

    def settle(self, message: dict[str, Any], piece: _Piece, text: int) -> None:
        """Make the offset and the line of a message those of the text."""
        message["offset"] -= int(piece.places[text])
        if "line" in message:
            message["line"] -= int(piece.lines[text])

    def counted(self, stats: dict[str, Any]) -> dict[str, Any]:
        """Return statistics without records of web archives."""
        sizes = {"stored": {"read": self.text_bytes}, "raw": {**stats["raw"], "all": self.text_bytes}}
        return {**stats, **sizes, "sources": self.texts, "messages": 0, "parts": 0}


class _Tar(_Stream):
    """Texts as the members of a tar archive. The place of a text is its number, which is its name."""

    end = bytes(2 * _BLOCK)
    flags = ("--as", "auto")

    def pack(self, texts: pa.Array, sizes: Integers) -> tuple[memoryview, Integers, Integers]:
        """Return texts as members."""
        numbers = np.arange(self.texts, self.texts + len(sizes))
        padding = _PADDING.take(pa.array(-sizes % _BLOCK))
        joined = pc.binary_join_element_wise(_tar_headers(numbers, sizes), texts, padding, _scalar(b""))
        return _content(joined)[0], numbers, numbers

    def places(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, Integers]:
        """Return records whose members are inside the texts, and the numbers of the texts."""
        member = batch.column("member")
        inner = pc.utf8_slice_codeunits(member, _DIGITS + 1)
        inner = pc.if_else(pc.equal(inner, ""), pa.scalar(None, pa.string()), inner)
        numbers = pc.cast(pc.utf8_slice_codeunits(member, 0, _DIGITS), pa.int64())
        return _replace(batch, member=inner), _numbers(numbers)

    def inside(self, batch: pa.RecordBatch, piece: _Piece, texts: Integers) -> pa.RecordBatch:
        """Return the records unchanged: in a member, offsets and lines are its own."""
        return batch

    def place(self, message: dict[str, Any]) -> int | None:
        """Return the number of the text that a message is about, and make its member one in the text."""
        name, _, inner = message.pop("member", "").partition("!")
        if inner:
            message["member"] = inner
        return int(name) if name else None

    def settle(self, message: dict[str, Any], piece: _Piece, text: int) -> None:
        """Leave the message unchanged."""

    def counted(self, stats: dict[str, Any]) -> dict[str, Any]:
        """Return statistics without the archive."""
        members = stats["members"] - self.texts
        return {**stats, "stored": {"read": self.text_bytes}, "sources": self.texts, "members": members}


_PADDING = pa.array([bytes(n) for n in range(_BLOCK)], pa.large_binary())


def _tar_headers(numbers: Integers, sizes: Integers) -> pa.Array:
    """Return the headers of members (POSIX ustar) that have these names and sizes."""
    headers = np.zeros((len(numbers), _BLOCK), np.uint8)
    template = np.frombuffer(
        b"0000644\0" + b"0000000\0" * 2 + b"0" * 11 + b"\0" + b"0" * 11 + b"\0" + b" " * 8 + b"0", np.uint8
    )
    headers[:, 100 : 100 + len(template)] = template
    headers[:, 257:265] = np.frombuffer(b"ustar\x0000", np.uint8)
    _digits(headers[:, :_DIGITS], numbers, 10)
    _digits(headers[:, 124:135], sizes, 8)
    _digits(headers[:, 148:154], headers.sum(axis=1, dtype=np.int64), 8)
    headers[:, 154] = 0
    whole = pa.FixedSizeBinaryArray.from_buffers(pa.binary(_BLOCK), len(numbers), [None, pa.py_buffer(headers)])
    return pc.cast(whole, pa.large_binary())


def _digits(to: npt.NDArray[np.uint8], numbers: Integers, base: int) -> None:
    """Write numbers with leading zeros into rows of bytes."""
    rest = numbers
    for column in range(to.shape[1] - 1, -1, -1):
        rest, digit = np.divmod(rest, base)
        to[:, column] = digit + ord("0")


def _pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the rows that have a text, which is not empty, in batches of about PIECE bytes of text."""
    for batch in batches:
        sizes = pc.fill_null(pc.binary_length(batch.column(batch.num_columns - 1)), 0)
        batch = batch.filter(pc.greater(sizes, 0))
        ends = np.cumsum(_numbers(pc.binary_length(batch.column(batch.num_columns - 1))))
        begin = written = 0
        while begin < batch.num_rows:  # a row in each iteration, at least
            end = max(begin + 1, int(np.searchsorted(ends, written + PIECE, side="right")))
            yield batch.slice(begin, end - begin)
            begin, written = end, int(ends[end - 1])


def _content(joined: pa.Array) -> tuple[memoryview, Integers]:
    """Return the bytes of all values of a large binary array, and where each value ends in them."""
    offsets = np.frombuffer(joined.buffers()[1], np.int64)[joined.offset : joined.offset + len(joined) + 1]
    return memoryview(joined.buffers()[2])[offsets[0] : offsets[-1]], offsets[1:] - offsets[0]


def _scalar(value: bytes) -> pa.Scalar:
    return pa.scalar(value, pa.large_binary())


def _numbers(array: pa.Array) -> Integers:
    """Return integers without null values."""
    return cast(Integers, array.to_numpy(zero_copy_only=False).astype(np.int64, copy=False))


def _replace(batch: pa.RecordBatch, **columns: pa.Array) -> pa.RecordBatch:
    """Return rows with other columns."""
    for name, column in columns.items():
        at = batch.schema.get_field_index(name)
        batch = batch.set_column(at, batch.schema.field(at), column)
    return batch


def _join(fields: Sequence[pa.Field], keys: Sequence[pa.Array] | None, batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows with keys between their kind and their other columns, or null where there is no key."""
    if keys is None:
        keys = [pa.nulls(batch.num_rows, f.type) for f in fields]
    kind, *others = list(schema.ROW_ARROW)
    return pa.RecordBatch.from_arrays(
        [batch.column(0), *keys, *batch.columns[1:]], schema=pa.schema([kind, *fields, *others])
    )
