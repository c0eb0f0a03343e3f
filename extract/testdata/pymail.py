"""Reads mail with Python's email package, for mailpython_test.go.

Standard input holds messages, each behind a line with its length in bytes.
For each one lines of JSON are printed, {"part", "kind", "text"}, and at its end
{"end": true}. Kinds are "plain", "html", "xml", "header" (text of a field), "whole"
(a field that is one reference) and "other" (data that is not read).
"""

import base64
import binascii
import bz2
import codecs
import email
import email.policy
import gzip
import io
import json
import quopri
import re
import sys
import zipfile
from email.header import decode_header

IDENTIFIERS = {
    "message-id", "resent-message-id", "in-reply-to", "references", "supersedes",
    "content-id", "original-message-id", "x-original-message-id", "xref", "path",
    "also-control", "dkim-signature", "domainkey-signature", "arc-seal",
    "arc-message-signature", "x-face", "face",
}
WHOLE = {"content-location", "content-base"}
ALIASES = {
    "gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "latin1": "cp1252",
    "iso-8859-9": "cp1254", "shift_jis": "cp932", "shift-jis": "cp932", "x-sjis": "cp932",
    "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "hz-gb-2312": "hz", "unicode-1-1-utf-7": "utf-7",
    "iso-2022-jp": "iso2022_jp_ext", "windows-874": "cp874",
}
NOT_TEXT = {"us-ascii", "ascii", "utf-8", "utf8", "", "base64", "hex", "rot13", "rot_13", "zip", "bz2", "quopri", "uu", "idna", "punycode"}


def lenient(b):
    out = []
    while b:
        try:
            out.append(b.decode("utf-8"))
            break
        except UnicodeDecodeError as e:
            out.append(b[:e.start].decode("utf-8"))
            out.append(b[e.start:e.start + 1].decode("cp1252", "replace"))
            b = b[e.start + 1:]
    return "".join(out)


def decode(b, charset):
    charset = str(charset or "").strip("\"' ").lower()
    name = ALIASES.get(charset, charset)
    if name not in NOT_TEXT:
        try:
            codecs.lookup(name)
            if name == "utf-16" and b[:2] not in (b"\xff\xfe", b"\xfe\xff"):
                name = "utf-16-le" if len(b) > 1 and b[0] and not b[1] else "utf-16-be"
            return b.decode(name, "replace")
        except (LookupError, UnicodeError, ValueError):
            pass
    return lenient(b)


def header_text(value):
    """Returns a field's value with encoded words decoded and the line breaks of folds kept."""
    raw = value.encode("ascii", "surrogateescape")
    text = lenient(raw)
    if "=?" not in text:
        return text
    try:
        words = decode_header(re.sub(r"\r?\n", "", text))  # folds in such a field are lost
    except Exception:
        return text
    out = []
    for word, charset in words:
        if isinstance(word, bytes):
            word = decode(word, charset) if charset else word.decode("raw_unicode_escape", "replace")
        out.append(word)
    return "".join(out)


def delsp(text):
    """RFC 3676 with DelSp=yes."""
    lines, out, depth, open_ = text.split("\n"), [], 0, False
    for line in lines:
        cr = line.endswith("\r")
        line = line.rstrip("\r")
        stripped = line.lstrip(">")
        d = len(line) - len(stripped)
        body = stripped[1:] if stripped.startswith(" ") else stripped
        if open_ and d == depth:
            out[-1] += body
        else:
            out.append(line)
        open_ = line.endswith(" ") and body != "-- "
        if open_:
            out[-1] = out[-1][:-1]
        elif cr:
            out[-1] += "\r"
        depth = d
    return "\n".join(out)


def without_data(text):
    """Returns running text without uuencoded and yEnc-encoded lines."""
    out, inside, lines = [], "", text.split("\n")
    for i, line in enumerate(lines):
        l = line.rstrip("\r")
        if inside:
            if l == "end" and inside == "uu" or l.startswith("=yend") and inside == "yenc":
                inside = ""
            continue
        if re.match(r"begin [0-7]{3,4} .", l) and i + 1 < len(lines):
            n = lines[i + 1].rstrip("\r")
            if n and len(n.rstrip()) <= 62 and 32 <= ord(n[0]) <= 96 and abs(len(n) - 1 - ((ord(n[0]) - 32) % 64 + 2) // 3 * 4) <= 2:
                inside = "uu"
                continue
        if l.startswith("=ybegin ") and "line=" in l:
            inside = "yenc"
            continue
        out.append(line)
    return "\n".join(out)


def payload(part):
    """Returns the bytes of a leaf with the transfer encoding decoded."""
    text = part._payload
    if not isinstance(text, str):
        return b""
    raw = text.encode("ascii", "surrogateescape")
    cte = re.split(r"[\s;(]", str(part.get("content-transfer-encoding", "")).strip().lower())[0].strip("\"'")
    return undo(raw, cte)


def undo(raw, cte):
    if cte == "quoted-printable":
        return quopri.decodestring(raw)
    if cte != "base64":
        return raw
    out, group = [], b""
    padded = False

    def flush():
        nonlocal group
        if len(group) > 1:
            out.append(base64.b64decode(group + b"=" * (-len(group) % 4)))
        group = b""

    for line in raw.splitlines(True):
        t = line.strip()
        junk = re.search(rb"[^A-Za-z0-9+/=\-_ \t]", t) or padded and t and (len(t) < 4 or re.search(rb"[ \t]", t))
        if junk and len(t) <= 256:
            flush()
            out.append(b"\n" + line)
            continue
        for piece in re.split(rb"(=+)", t):
            if piece.startswith(b"="):
                flush()
                padded = True
                continue
            piece = re.sub(rb"[^A-Za-z0-9+/]", b"", piece.replace(b"-", b"+").replace(b"_", b"/"))
            group += piece
            n = len(group) // 4 * 4
            out.append(base64.b64decode(group[:n]))
            group = group[n:]
    flush()
    return b"".join(out)


def say(part, kind, text):
    print(json.dumps({"part": part, "kind": kind, "text": text.encode("utf-8", "replace").decode("utf-8")}))


def looks(data):
    """Returns the kind of bytes of unknown type: "plain", "html", "xml" or "other"."""
    head = data[:512]
    if b"\0" in head or any(c < 32 and c not in (8, 9, 10, 12, 13, 27) for c in head):
        return "other"
    low = head.lstrip().lower()
    if low.startswith(b"<?xml "):
        return "xml"
    if low.startswith((b"<!doctype html", b"<html")):
        return "html"
    return "plain"


def members(part, data, depth):
    """Reads the members of compressed data. Reports whether the data is compressed."""
    if depth == 0:
        return False
    try:
        if data[:2] == b"\x1f\x8b":
            inner = [gzip.decompress(data)]
        elif data[:3] == b"BZh":
            inner = [bz2.decompress(data)]
        elif data[:4] == b"PK\3\4":
            z = zipfile.ZipFile(io.BytesIO(data))
            inner = [z.read(i) for i in z.infolist() if not i.is_dir()]
        else:
            return False
    except Exception:
        return True
    for d in inner:
        if not members(part, d, depth - 1):
            kind = looks(d)
            say(part, kind, lenient(d) if kind != "other" else "")
    return True


UNREAD = (
    "image/", "audio/", "video/", "font/", "model/", "chemical/", "application/vnd.", "application/pdf",
    "application/msword", "application/ms-", "application/x-pkcs7", "application/pkcs7", "application/pkcs10",
    "application/pkix", "application/x-x509", "application/pgp-signature", "application/java", "application/x-java",
    "application/x-shockwave-flash", "application/x-msdownload", "application/mac-binhex40", "application/applefile",
)
READ = {"application/json", "application/javascript", "application/xml"}
FOLDED = {"text/calendar", "application/ics", "text/vcard", "text/x-vcard", "text/directory"}


def leaf(part, name):
    kind = part.get_content_type()
    cte = str(part.get("content-transfer-encoding", "")).strip().lower()
    if cte in ("x-uuencode", "uuencode", "x-uue", "uue", "x-yencode"):
        return say(name, "other", "")
    data = payload(part)
    charset = part.get_param("charset", "")
    if isinstance(charset, tuple):
        charset = charset[2]
    if kind.startswith(("message/", "text/")) or kind in READ | FOLDED or kind.endswith(("+xml", "+json")):
        text = decode(data, charset)
        html = "html" in kind or kind.endswith("xml")
        markup = "html" if "html" in kind else "xml"
        if not html and not cte.startswith(("quoted", "base64")):
            text = without_data(text)
        if kind == "text/plain" and str(part.get_param("format", "")).lower() == "flowed" and str(part.get_param("delsp", "")).lower() == "yes":
            text = delsp(text)
        if kind in FOLDED:
            text = re.sub("\r?\n[ \t]", "", text)
        return say(name, markup if html else "plain", text)
    if kind.startswith(UNREAD):
        return say(name, "other", "")
    if members(name, data, 4):
        return
    look = looks(data)
    say(name, look, decode(data, charset) if look != "other" else "")


def fields(part, name):
    for field, value in part._headers:
        field = field.lower()
        value = str(value)
        if field in IDENTIFIERS:
            continue
        if field in WHOLE:
            text = re.sub(r"\s", "", header_text(value))
            text = re.sub(r"^[\"<]+|[\">]+$", "", text)
            text = re.sub(r"(?i)^url:", "", text)
            if text:
                say(name, "whole", text)
            continue
        say(name, "header", header_text(value))


def walk(part, name, top):
    fields(part, (name + "." if name else "") + ("HEADER" if top else "MIME"))
    inner = part._payload  # get_payload() would decode
    prefix = name + "." if name else ""
    if part.get_content_maintype() == "multipart" and isinstance(inner, list):
        for text in (part.preamble, part.epilogue):
            if text:
                say(prefix + "TEXT", "plain", lenient(text.encode("ascii", "surrogateescape")))
        for i, p in enumerate(inner):
            walk(p, prefix + str(i + 1), False)
        return
    if part.get_content_maintype() == "message" and isinstance(inner, list):
        cte = str(part.get("content-transfer-encoding", "")).strip().lower()
        for i, p in enumerate(inner):
            if cte in ("base64", "quoted-printable"):
                p = email.message_from_bytes(undo(p.as_bytes(), cte))
            walk(p, prefix + str(i + 1) if name == "" else name, True)
        return
    if part.get_content_maintype() == "multipart":  # without a boundary
        say(name or "1", "plain", lenient(str(inner or "").encode("utf-8", "surrogateescape")))
        return
    leaf(part, name or "1")


def main():
    stdin = sys.stdin.buffer
    while True:
        line = stdin.readline()
        if not line:
            return
        data = stdin.read(int(line))
        try:
            walk(email.message_from_bytes(data), "", True)
        except (RecursionError, LookupError, ValueError, TypeError, AttributeError, binascii.Error, AssertionError) as e:
            say("", "fault", repr(e))
        print('{"end": true}', flush=True)


sys.setrecursionlimit(4000)
main()
