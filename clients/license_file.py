"""Verifies license files of Keywright without a network, in Python 3.6 and later, with the standard library alone.

docs/license-files.md explains format and rules.

    from license_file import verify
    result = verify(text, public_keys=KEYS, product_id="7", uid=uid)
"""

import base64
import binascii
import hashlib
import json
import re
import time

DOMAIN = "keywright-license-file/1"
ALGORITHM = "Ed25519"
SKEW = 300  # seconds that a clock may be behind: behind the server's, or behind what it showed before
MAX_LENGTH = 262144

ARMOR = re.compile(
    r"[ \t\r\n]*-----BEGIN LICENSE FILE-----[\r\n]([A-Za-z0-9+/=\r\n]+)-----END LICENSE FILE-----[ \t\r\n]*"
)
# The one way in which the envelope is written: nothing that is not signed yet is read as JSON.
ENVELOPE = re.compile(
    rb'\{"alg":"([ !#-\[\]-~]*)","kid":"([0-9a-f]{16})","payload":"([A-Za-z0-9_-]+)","sig":"([A-Za-z0-9_-]+)"\}'
)


def verify(file_text, *, public_keys, product_id, uid=None, now=None, last_seen=None):
    """Says whether a license file is good here and now.

    public_keys: the `keys` of license_keys.json, each with kid, alg and public_key
    uid: what this install calls itself; a file that is bound to one is bad without
    now: Unix seconds; default: this machine's clock
    last_seen: the latest `now` of an earlier call, if any

    Answers a dict with `valid` and `code`, and everything the file says when it is valid. Codes: valid, malformed,
    unknown_algorithm, unknown_key, invalid_signature, wrong_product, wrong_machine, clock_rolled_back, expired.
    """
    now = time.time() if now is None else now
    envelope = _read(file_text)
    if envelope is None:
        return _bad("malformed")
    alg, kid, payload, sig = envelope
    if alg != ALGORITHM:
        return _bad("unknown_algorithm")
    found = [one for one in public_keys if one["kid"] == kid and one["alg"] == ALGORITHM]
    key = _bytes_of(found[0]["public_key"]) if found else None
    if key is None or len(key) != 32:
        return _bad("unknown_key")
    if not _is_signed(key, sig, "\n".join([DOMAIN, alg, kid, payload]).encode()):
        return _bad("invalid_signature")

    file = json.loads(_bytes_of(payload).decode())
    code = _judged(file, product_id, uid, now, last_seen)
    return {"valid": True, "code": code, **file} if code == "valid" else _bad(code)


def _judged(file, product_id, uid, now, last_seen):
    """Whether what a file says holds here and now; times are asked so that one that is no number holds nothing."""
    if file["product"]["id"] != str(product_id):
        return "wrong_product"
    if file["uid"] is not None and file["uid"] != uid:
        return "wrong_machine"
    is_forward = now >= file["issued"] - SKEW and (last_seen is None or now >= last_seen - SKEW)
    if not is_forward:
        return "clock_rolled_back"
    return "valid" if now < file["expires"] else "expired"


def _bad(code):
    return {"valid": False, "code": code}


def _read(file_text):
    """The four parts of a file; None when it is not written as one."""
    if not isinstance(file_text, str) or len(file_text) > MAX_LENGTH:
        return None
    armor = ARMOR.fullmatch(file_text)
    inner = _decoded(re.sub(r"[\r\n]", "", armor.group(1))) if armor else None
    found = ENVELOPE.fullmatch(inner) if inner else None
    if not found:
        return None
    alg, kid, payload, signature = (part.decode("ascii") for part in found.groups())
    sig = _bytes_of(signature)
    if sig is None or len(sig) != 64 or _bytes_of(payload) is None:
        return None
    return alg, kid, payload, sig


def _decoded(text):
    """Base64 to bytes; None when it is not base64, or the same bytes are written in another way."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return found if base64.b64encode(found).decode() == text else None


def _bytes_of(text):
    """Base64url to bytes; None likewise."""
    plain = str(text).replace("-", "+").replace("_", "/")
    return _decoded(plain + "=" * (-len(plain) % 4))


# Ed25519 of RFC 8032, section 5.1. Points are in extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, x * y = T/Z.
# It checks public values only, so that its time may depend on them.

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


def _is_signed(public_key, signature, message):
    a = _point(public_key)
    s = int.from_bytes(signature[32:], "little")
    if a is None or s >= L:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    k = int.from_bytes(digest, "little") % L
    minus_a = (P - a[0], a[1], a[2], P - a[3])
    return _encoded(_added(_times(s, BASE), _times(k, minus_a))) == signature[:32]


def _point(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P != 0:
        x = x * ROOT_OF_MINUS_1 % P
    if (v * x * x - u) % P != 0 or (x == 0 and sign == 1):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def _added(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * D * p[3] * q[3] % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(factor, point):
    result = (0, 1, 1, 0)
    while factor > 0:
        if factor & 1:
            result = _added(result, point)
        point = _added(point, point)
        factor >>= 1
    return result


def _encoded(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = _point(bytes.fromhex("58" + "66" * 31))
