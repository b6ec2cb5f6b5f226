"""Requests that two readers could take for different ones, and requests that only look like such.

Each is written as it goes over the wire. What follows a refused one is never run.
"""

from __future__ import annotations

GET = b"GET /odd HTTP/1.1\r\n"
POST = b"POST /odd HTTP/1.1\r\nHost: here\r\n"
HOST = b"Host: here\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
END = b"\r\n"


def field(line: bytes) -> bytes:
    """A request with that line in its head."""
    return GET + HOST + line + b"\r\n\r\n"


def first(line: bytes) -> bytes:
    """A request with that first line."""
    return line + END + HOST + END


def coded(*lines: bytes) -> bytes:
    """A request with these lines in its head, and a body in two chunks."""
    return POST + END.join(lines) + b"\r\n\r\n5\r\nhello\r\n0\r\n\r\n"


def sized(length: bytes) -> bytes:
    """A request with a body that is so long."""
    return POST + b"Content-Length: " + length + b"\r\n\r\nhello"


REFUSED: dict[str, tuple[bytes, int]] = {
    # the first line
    "no version (HTTP/0.9)": (first(b"GET /odd"), 400),
    "a method alone": (first(b"GET"), 400),
    "nothing": (first(b""), 400),
    "an empty line before the first": (END + field(b"X: 1"), 400),
    "a blank before the first": (first(b" GET /odd HTTP/1.1"), 400),
    "a blank after it": (first(b"GET /odd HTTP/1.1 "), 400),
    "two blanks in it": (first(b"GET  /odd HTTP/1.1"), 400),
    "two blanks before the version": (first(b"GET /odd  HTTP/1.1"), 400),
    "a tab in it": (first(b"GET\t/odd HTTP/1.1"), 400),
    "a tab before the version": (first(b"GET /odd\tHTTP/1.1"), 400),
    "a form feed in it": (first(b"GET /odd\x0cHTTP/1.1"), 400),
    "a vertical tab in it": (first(b"GET /odd\x0bHTTP/1.1"), 400),
    "a blank of another script in it": (first(b"GET\xa0/odd HTTP/1.1"), 400),
    "a bare CR in it": (first(b"GET /odd\rHTTP/1.1"), 400),
    "bare LFs in it": (first(b"GET\n/odd\nHTTP/1.1"), 400),
    "a blank in the target": (first(b"GET /odd one HTTP/1.1"), 400),
    "a NUL in the target": (first(b"GET /odd\0 HTTP/1.1"), 400),
    "a DEL in the target": (first(b"GET /odd\x7f HTTP/1.1"), 400),
    "a byte beyond ASCII in the target": (first("GET /ödd HTTP/1.1".encode()), 400),
    "a fragment in the target": (first(b"GET /odd#part HTTP/1.1"), 400),
    "a target that is no path": (first(b"GET odd HTTP/1.1"), 400),
    "a target that is a query": (first(b"GET ?odd HTTP/1.1"), 400),
    "all there is, but not for OPTIONS": (first(b"GET * HTTP/1.1"), 400),
    "a host and port": (first(b"GET here:80 HTTP/1.1"), 400),
    "a tunnel": (first(b"CONNECT here:80 HTTP/1.1"), 400),
    "a target of another scheme": (first(b"GET ftp://here/odd HTTP/1.1"), 400),
    "a target with nobody's host": (first(b"GET http:///odd HTTP/1.1"), 400),
    "a target with somebody's password": (first(b"GET http://a:b@here/odd HTTP/1.1"), 400),
    "a target with a broken host": (first(b"GET http://]here/odd HTTP/1.1"), 400),
    "a method in small letters": (first(b"get /odd HTTP/1.1"), 400),
    "a method with a colon": (first(b"GET: /odd HTTP/1.1"), 400),
    "a method with a NUL": (first(b"GET\0 /odd HTTP/1.1"), 400),
    "a method that hides another one": (first(b"GET\0PROXY /odd HTTP/1.1"), 400),
    "a method that begins with a dash": (first(b"-GET /odd HTTP/1.1"), 400),
    "a method with a bracket": (first(b"GET( /odd HTTP/1.1"), 400),
    "a method beyond ASCII": (first(b"GET\xff /odd HTTP/1.1"), 400),
    "a method that has no end": (first(b"A" * 40 + b" /odd HTTP/1.1"), 400),
    "another protocol": (first(b"GET /odd FTP/1.1"), 400),
    "a protocol in small letters": (first(b"GET /odd http/1.1"), 400),
    "version 0.9": (first(b"GET /odd HTTP/0.9"), 400),
    "version 0.99": (first(b"GET /odd HTTP/0.99"), 400),
    "version 1": (first(b"GET /odd HTTP/1"), 400),
    "version 1.01": (first(b"GET /odd HTTP/1.01"), 400),
    "version 1.10": (first(b"GET /odd HTTP/1.10"), 400),
    "version 01.1": (first(b"GET /odd HTTP/01.1"), 400),
    "version 1.2": (first(b"GET /odd HTTP/1.2"), 400),
    "version +1.1": (first(b"GET /odd HTTP/+1.1"), 400),
    "version 1,1": (first(b"GET /odd HTTP/1,1"), 400),
    "version 111": (first(b"GET /odd HTTP/111"), 400),
    "version 2.0": (first(b"GET /odd HTTP/2.0"), 400),
    "a version of many digits": (first(b"GET /odd HTTP/" + b"1" * 90 + b".1"), 400),
    "HTTP/2 itself": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "a proxy's line": (b"PROXY TCP4 127.0.0.1 127.0.0.1 56324 443\r\n" + field(b"X: 1"), 400),
    "a line that is too long": (first(b"GET /" + b"a" * 8000 + b" HTTP/1.1"), 414),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
    # who is asked
    "no host": (GET + END, 400),
    "no host, but another one's": (GET + b"X-Forwarded-Host: here\r\n\r\n", 400),
    "two hosts": (GET + HOST + b"Host: there\r\n\r\n", 400),
    "the same host twice": (GET + HOST + HOST + END, 400),
    "two hosts in one": (GET + b"Host: here, there\r\n\r\n", 400),
    "an empty host": (GET + b"Host:\r\n\r\n", 400),
    "a host with a path": (GET + b"Host: here/there\r\n\r\n", 400),
    "a host with a blank": (GET + b"Host: here there\r\n\r\n", 400),
    "a host with a name": (GET + b"Host: me@here\r\n\r\n", 400),
    "a host with a port that is none": (GET + b"Host: here:http\r\n\r\n", 400),
    "a host with a negative port": (GET + b"Host: here:-1\r\n\r\n", 400),
    "a host with two ports": (GET + b"Host: here:80:81\r\n\r\n", 400),
    "a host in half a bracket": (GET + b"Host: [::1\r\n\r\n", 400),
    "a host beyond ASCII": (GET + b"Host: h\xc3\xa9re\r\n\r\n", 400),
    "a host with quotes": (GET + b'Host: "here"\r\n\r\n', 400),
    "a target's host, and two others": (b"GET http://here/odd HTTP/1.1\r\n" + HOST + b"Host: there\r\n\r\n", 400),
    "a target's host, and none": (b"GET http://here/odd HTTP/1.1\r\n\r\n", 400),
    # fields
    "a line that is no field": (field(b"X"), 400),
    "a field without a name": (field(b": 1"), 400),
    "a blank before the colon": (field(b"Content-Length : 5"), 400),
    "a tab before the colon": (field(b"X\t: 1"), 400),
    "a folded field": (field(b"X: 1\r\n 2"), 400),
    "a field folded by a tab": (field(b"X: 1\r\n\t2"), 400),
    "a folded first field": (GET + b" X: 1\r\n" + HOST + END, 400),
    "an empty field that is folded": (field(b"X:\r\n 1"), 400),
    "a bare LF between fields": (field(b"X: 1\nContent-Length: 5"), 400),
    "a bare LF after the first line": (b"GET /odd HTTP/1.1\n" + HOST + END, 400),
    "a bare LF at the end": (GET + HOST + b"X: 1\r\n\n\r\n\r\n", 400),
    "bare LFs at the end": (GET + HOST + b"X: 1\n\n\r\n\r\n", 400),
    "a bare CR in a value": (field(b"X: 1\rY: 2"), 400),
    "a bare CR at the end of a value": (field(b"X: 1\r"), 400),
    "a bare CR in a name": (field(b"X\rY: 1"), 400),
    "a NUL in a value": (field(b"X: a\0b"), 400),
    "a NUL in a name": (field(b"X\0Y: 1"), 400),
    "a NUL after very many blanks": (field(b"X:" + b" " * 60_000 + b"\0"), 400),
    "a bell in a value": (field(b"X: a\x07b"), 400),
    "a vertical tab in a value": (field(b"X: a\x0bb"), 400),
    "a form feed before a value": (field(b"X: \x0cb"), 400),
    "an escape in a value": (field(b"X: a\x1bb"), 400),
    "a DEL in a value": (field(b"X: a\x7fb"), 400),
    "a name with a bracket": (field(b"X[]: 1"), 400),
    "a name with a slash": (field(b"X/Y: 1"), 400),
    "a name with quotes": (field(b'"X": 1'), 400),
    "a name beyond ASCII": (field(b"Content-Length\xdf: 5"), 400),
    "a name with a blank": (field(b"X Y: 1"), 400),
    "two kinds of content": (field(b"Content-Type: a/b\r\nContent-Type: c/d"), 400),
    "two who ask": (field(b"Authorization: Bearer a\r\nAuthorization: Bearer b"), 400),
    "more fields than are read": (field(END.join(b"X-%d: 1" % number for number in range(100))), 400),
    "a field that is too long": (field(b"X: " + b"a" * 70_000), 431),
    # the length of a body
    "two lengths": (POST + b"Content-Length: 5\r\nContent-Length: 4\r\n\r\nhello", 400),
    "the same length twice": (POST + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400),
    "two lengths in one": (sized(b"5, 5"), 400),
    "a length in two parts": (sized(b"0 5"), 400),
    "a negative length": (sized(b"-5"), 400),
    "a length of minus nothing": (sized(b"-0"), 400),
    "a length with a plus": (sized(b"+5"), 400),
    "a length with an underscore": (sized(b"0_5"), 400),
    "a length in base 16": (sized(b"0x5"), 400),
    "a length with a point": (sized(b"5.0"), 400),
    "a length with an exponent": (sized(b"5e0"), 400),
    "a length that is a word": (sized(b"five"), 400),
    "a length in digits of another script": (sized("٥".encode()), 400),
    "a length of digits beyond ASCII": (sized(b"\xb2"), 400),
    "an empty length": (sized(b""), 400),
    "a length of many digits": (sized(b"0" * 30 + b"5"), 400),
    "a length that is too long": (sized(b"65537"), 413),
    "a length in a folded line": (POST + b"Content-Length:\r\n 5\r\n\r\nhello", 400),
    # how it is coded
    "a length and chunks": (coded(b"Content-Length: 5", b"Transfer-Encoding: chunked"), 400),
    "chunks and a length": (coded(b"Transfer-Encoding: chunked", b"Content-Length: 15"), 400),
    "chunks twice": (coded(b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked"), 400),
    "chunks twice in one": (coded(b"Transfer-Encoding: chunked, chunked"), 400),
    "chunks and something else": (coded(b"Transfer-Encoding: chunked", b"Transfer-Encoding: gzip"), 400),
    "something else and chunks": (coded(b"Transfer-Encoding: gzip, chunked"), 400),
    "chunks that are not last": (coded(b"Transfer-Encoding: chunked, identity"), 400),
    "no code, by name": (coded(b"Transfer-Encoding: identity"), 400),
    "an empty code": (coded(b"Transfer-Encoding:"), 400),
    "an empty code before chunks": (coded(b"Transfer-Encoding: , chunked"), 400),
    "chunks in quotes": (coded(b'Transfer-Encoding: "chunked"'), 400),
    "chunks with a parameter": (coded(b"Transfer-Encoding: chunked;q=1"), 400),
    "chunks after a form feed": (coded(b"Transfer-Encoding: \x0cchunked"), 400),
    "something like chunks": (coded(b"Transfer-Encoding: xchunked"), 400),
    "chunks with a blank before the colon": (coded(b"Transfer-Encoding : chunked"), 400),
    "chunks by HTTP/1.0": (coded(b"Transfer-Encoding: chunked").replace(b"HTTP/1.1", b"HTTP/1.0"), 400),
    # chunks
    "a blank after a size": (CHUNKED + b"5 \r\nhello\r\n0\r\n\r\n", 400),
    "a blank before a size": (CHUNKED + b" 5\r\nhello\r\n0\r\n\r\n", 400),
    "a tab after a size": (CHUNKED + b"5\t\r\nhello\r\n0\r\n\r\n", 400),
    "a blank after the last size": (CHUNKED + b"5\r\nhello\r\n0 \r\n\r\n", 400),
    "a blank before the last size": (CHUNKED + b"5\r\nhello\r\n 0\r\n\r\n", 400),
    "a vertical tab after a size": (CHUNKED + b"5\x0b\r\nhello\r\n0\r\n\r\n", 400),
    "a line end within a size": (CHUNKED + b"5\n;\r\nhello\r\n0\r\n\r\n", 400),
    "a bare LF after a size": (CHUNKED + b"5\nhello\r\n0\r\n\r\n", 400),
    "a bare CR after a size": (CHUNKED + b"5\rX\r\nhello\r\n0\r\n\r\n", 400),
    "no size": (CHUNKED + b"\r\nhello\r\n0\r\n\r\n", 400),
    "no size, but an extension": (CHUNKED + b";a=b\r\nhello\r\n0\r\n\r\n", 400),
    "a size that is none": (CHUNKED + b"five\r\nhello\r\n0\r\n\r\n", 400),
    "a size with an underscore": (CHUNKED + b"0_5\r\nhello\r\n0\r\n\r\n", 400),
    "a size with a plus": (CHUNKED + b"+5\r\nhello\r\n0\r\n\r\n", 400),
    "a size with a minus": (CHUNKED + b"-5\r\nhello\r\n0\r\n\r\n", 400),
    "a size with a prefix": (CHUNKED + b"0x5\r\nhello\r\n0\r\n\r\n", 400),
    "a size of many digits": (CHUNKED + b"0" * 16 + b"5\r\nhello\r\n0\r\n\r\n", 400),
    "a size in digits of another script": (CHUNKED + "٥".encode() + b"\r\nhello\r\n0\r\n\r\n", 400),
    "a size with a NUL": (CHUNKED + b"5\0\r\nhello\r\n0\r\n\r\n", 400),
    "a size that is too long": (CHUNKED + b"10001\r\nhello\r\n0\r\n\r\n", 413),
    "more in a chunk than its size": (CHUNKED + b"4\r\nhello\r\n0\r\n\r\n", 400),
    "less in a chunk than its size": (CHUNKED + b"6\r\nhello\r\n0\r\n\r\n", 400),
    "a bare LF after a chunk": (CHUNKED + b"5\r\nhello\n0\r\n\r\n", 400),
    "two letters for the end of a chunk": (CHUNKED + b"5\r\nhelloXX0\r\n\r\n", 400),
    "a blank before an extension": (CHUNKED + b"5 ;a=b\r\nhello\r\n0\r\n\r\n", 400),
    "a bare CR in an extension": (CHUNKED + b"5;a=b\rc\r\nhello\r\n0\r\n\r\n", 400),
    "a bare LF in an extension": (CHUNKED + b"5;a\n\r\nhello\r\n0\r\n\r\n", 400),
    "a NUL in an extension": (CHUNKED + b"5;a=\0\r\nhello\r\n0\r\n\r\n", 400),
    "an empty extension": (CHUNKED + b"5;\r\nhello\r\n0\r\n\r\n", 400),
    "an extension that is too long": (CHUNKED + b"5;a=" + b"b" * 300 + b"\r\nhello\r\n0\r\n\r\n", 400),
    "a length after the body": (CHUNKED + b"0\r\nContent-Length: 5\r\n\r\n", 400),
    "a code after the body": (CHUNKED + b"0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    "a host after the body": (CHUNKED + b"0\r\nHost: there\r\n\r\n", 400),
    "no field after the body": (CHUNKED + b"0\r\nX\r\n\r\n", 400),
    "a bare LF after the body": (CHUNKED + b"0\r\nX: 1\n\r\n\r\n", 400),
    "a folded field after the body": (CHUNKED + b"0\r\nX: 1\r\n 2\r\n\r\n", 400),
    "a NUL after the body": (CHUNKED + b"0\r\nX: \0\r\n\r\n", 400),
    "a field after the body that is too long": (CHUNKED + b"0\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", 431),
}
"""What is sent, and the status of the one answer. The connection is closed then."""

TAKEN: dict[str, tuple[bytes, bytes]] = {
    "a body after GET": (GET + HOST + b"Content-Length: 5\r\n\r\nhello", b"hello"),
    "a body after HEAD": (b"HEAD /odd HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\nhello", b"hello"),
    "a code in other letters": (coded(b"transfer-ENCODING: \tCHUNKED \t"), b"hello"),
    "an extension": (CHUNKED + b"5;a=b;c\r\nhello\r\n0;d\r\n\r\n", b"hello"),
    "an extension in quotes": (CHUNKED + b'5;a="b c"\r\nhello\r\n0\r\n\r\n', b"hello"),
    "a size with noughts": (CHUNKED + b"0005\r\nhello\r\n000\r\n\r\n", b"hello"),
    "a size in either letters": (CHUNKED + b"a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", b"0123456789" * 2),
    "a field after the body": (CHUNKED + b"5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n", b"hello"),
    "a request within a body": (
        POST + b"Content-Length: %d\r\n\r\n" % len(field(b"X: 1")) + field(b"X: 1"),
        field(b"X: 1"),
    ),
    "its host in the target, by another scheme": (first(b"GET HTTPS://[::1]:8000/odd HTTP/1.1"), b""),
    "a length with noughts": (sized(b"005"), b"hello"),
    "a length by an underscore": (field(b"Content_Length: 50"), b""),
    "a code by an underscore": (field(b"Transfer_Encoding: chunked"), b""),
    "a field beyond ASCII": (field(b"X: \xe9\xff"), b""),
    "an empty field": (field(b"X:"), b""),
    "a field twice": (field(b"X: 1\r\nX: 2"), b""),
    "its host in the target": (first(b"GET HTTP://there:80/odd HTTP/1.1"), b""),
    "an address for a host": (GET + b"Host: [::1]:8000\r\n\r\n", b""),
    "a host with an empty port": (GET + b"Host: here:\r\n\r\n", b""),
    "kept by HTTP/1.0": (b"GET /odd HTTP/1.0\r\nConnection: x, Keep-Alive\r\n\r\n", b""),
    "another protocol is offered": (field(b"Connection: Upgrade\r\nUpgrade: websocket"), b""),
}
"""What is sent, and the body that is read. Another request may follow on the connection."""

LAST: dict[str, bytes] = {
    "close": field(b"Connection: close"),
    "close in other letters": field(b"Connection: CLOSE"),
    "close after another word": field(b"Connection: X, close"),
    "close before another word": field(b"Connection: close ,\tX"),
    "close in a second line": field(b"Connection: keep-alive\r\nConnection: close"),
    "close and kept": field(b"Connection: keep-alive, close"),
    "HTTP/1.0": b"GET /odd HTTP/1.0\r\n" + HOST + END,
    "HTTP/1.0 without a host": b"GET /odd HTTP/1.0\r\n\r\n",
    "HTTP/1.0 that is kept and closed": b"GET /odd HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n",
    "HTTP/1.0 with a body": b"POST /odd HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello",
}
"""What is sent and answered; nothing more is heard on the connection."""
