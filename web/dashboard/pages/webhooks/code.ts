const javascript = `import { createHmac, timingSafeEqual } from 'node:crypto'

// secret: whsec_…; headers: of the request, in lower case; body: the text as it came, before it is parsed
export function isFromKeywright(secret, headers, body) {
  const timestamp = headers['webhook-timestamp']
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = \`\${headers['webhook-id']}.\${timestamp}.\${body}\`
  const expected = Buffer.from('v1,' + createHmac('sha256', key).update(signed).digest('base64'))
  return String(headers['webhook-signature'])
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected))
}`

const php = `<?php
// $secret: whsec_…; $headers: of the request, in lower case; $body: file_get_contents('php://input')
function is_from_keywright(string $secret, array $headers, string $body): bool {
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) return false;
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = ($headers['webhook-id'] ?? '') . '.' . $timestamp . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $one) {
        if (hash_equals($expected, $one)) return true;
    }
    return false;
}`

const python = `import base64, hashlib, hmac, time

# secret: whsec_…; headers: of the request, in lower case; body: the bytes as they came, before they are parsed
def is_from_keywright(secret: str, headers: dict, body: bytes) -> bool:
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    mac = hmac.new(key, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(mac).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)`

const go = `package keywright

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsFromKeywright: secret is whsec_…, body are the bytes as they came, before they are parsed.
func IsFromKeywright(secret string, header http.Header, body []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	if age := time.Since(time.Unix(seconds, 0)); age > 5*time.Minute || age < -5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}`

/** What a receiver checks a message with, by language. */
export const CODE = { JavaScript: javascript, PHP: php, Python: python, Go: go } as const
export type CodeLanguage = keyof typeof CODE
export const CODE_LANGUAGES = Object.keys(CODE) as CodeLanguage[]
