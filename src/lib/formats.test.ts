import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../test/growth.ts'
import { isCleanText, isEmail, isHttpUrl, isIp, isWebAddress } from './formats.ts'
import { isSlug } from './slug.ts'
import { normalVatId } from './vat-form.ts'
import { isVersion } from './version-key.ts'

const all = (check: (text: string) => boolean, texts: string[], expected: boolean) => {
  for (const text of texts) assert.equal(check(text), expected, JSON.stringify(text))
}

test('addresses that mail can reach are e-mail addresses', () => {
  all(
    isEmail,
    [
      'a@b.co',
      'john.doe+tag@example.com',
      "o'hara_{x}~!#$%&*/=?^`|-@sub.example.co.uk",
      'josé@müller.de',
      'jose\u0301@example.com',
      '用户@例子.广告',
      'a@xn--e1afmkfd.xn--p1ai',
      'a@1-2.3com',
      `${'a'.repeat(64)}@example.com`,
      `a@${'b'.repeat(63)}.com`,
      `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(10)}`,
    ],
    true,
  )
})

test('what is not one address with a dotted domain is refused', () => {
  all(
    isEmail,
    [
      '',
      'a',
      '@',
      'a@',
      '@b.co',
      'a@b',
      'a@b@c.co',
      'a@b.co@c.co',
      'a@.co',
      'a@b.',
      'a@b..co',
      'a@-b.co',
      'a@b-.co',
      'a@b_c.co',
      'a@1.2.3.4',
      'a@[1.2.3.4]',
      '"a b"@c.co',
      'a,b@c.co',
      'a;b@c.co',
      'A <a@b.co>',
      'a(b)@c.co',
      'a\\b@c.co',
      `${'a'.repeat(65)}@example.com`,
      `a@${'b'.repeat(64)}.com`,
      `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(12)}`,
    ],
    false,
  )
})

test('an address with white space, controls or invisible characters is refused, wherever they stand', () => {
  const hidden = [
    ' ',
    '\t',
    '\r',
    '\n',
    '\r\nBcc: x',
    '\0',
    '\x7f',
    '\x85',
    '\u00a0',
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
  ]
  const more = [
    '\u200b',
    '\u200d',
    '\u202e',
    '\u2028',
    '\u2060',
    '\u2066',
    '\u3000',
    '\u3164',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
  ]
  for (const text of [...hidden, ...more, '\u{e0041}', '\ud800']) {
    all(
      isEmail,
      [`a${text}b@c.co`, `${text}a@c.co`, `a@b${text}c.co`, `a@b.c${text}`, `a@b.co${text}`],
      false,
    )
  }
})

test('absolute http addresses are URLs', () => {
  all(
    isHttpUrl,
    [
      'http://a',
      'HTTPS://Example.com:8443/a b'.replace(' ', '%20'),
      'https://例え.jp/パス?q=1&r[]=2#x',
      'http://[::1]:3000/',
      `http://a/${'b'.repeat(2039)}`,
    ],
    true,
  )
})

test('other schemes, credentials, relative and overlong addresses are no URLs', () => {
  all(
    isHttpUrl,
    [
      '',
      'example.com',
      '//example.com',
      '/a',
      'ftp://a',
      'javascript:alert(1)',
      'data:text/html,x',
      'http:a',
      'http:/a',
      'http:///a',
      'http://',
      'http://user@a',
      'http://user:password@a',
      'http://:password@a',
      'http://a:99999',
      'http://a b',
      `http://a/${'b'.repeat(2040)}`,
    ],
    false,
  )
})

test('characters that readers of addresses drop or read differently are refused', () => {
  all(
    isHttpUrl,
    [
      ' http://a',
      'http://a\n',
      'ht\ntp://a',
      'http://a/\t',
      'http:\\\\a',
      'http://a\\@b',
      'http://a/\u202e',
      'http://a/\0',
    ],
    false,
  )
})

test('IP addresses of both families pass, without zone, port or prefix', () => {
  all(isIp, ['127.0.0.1', '::1', '2001:db8::1', '::ffff:1.2.3.4'], true)
  all(
    isIp,
    ['', '1.2.3', '01.2.3.4', '1.2.3.4:80', '1.2.3.0/24', '0x7f.1', 'fe80::1%eth0', '[::1]', '1.2.3.4\n'],
    false,
  )
})

test('text with controls, direction overrides or half a character is not clean', () => {
  const unclean = [
    '\0',
    'a\x1bb',
    '\x7f',
    '\x80',
    '\x9f',
    '\r',
    'a\u202eb',
    '\u202a',
    '\u2066',
    '\u2069',
    '\ud800',
    'x\udc00',
  ]
  all(isCleanText, unclean, false)
  all((text) => isCleanText(text, { multiline: true }), unclean, false)
  all(isCleanText, ['', 'Ünïcödé', '👩‍👩‍👧', '👍🏽', 'עברית\u200f', 'नमस्ते', '=cmd', '𠜎'], true)
})

test('line feed and tab are clean only where several lines are', () => {
  all(isCleanText, ['a\nb', 'a\tb'], false)
  all((text) => isCleanText(text, { multiline: true }), ['a\nb', '\ta\n'], true)
})

test('50 kB of adversarial text is judged as address, version or VAT id in linear time', () => {
  const seeds = [
    'a',
    '@',
    'a@',
    '.',
    'a.',
    '-',
    '1',
    ':',
    '%',
    '\n',
    'é',
    '\u0301',
    '\u200d',
    '[',
    '1.',
    'ff:',
    ' ',
    '. ',
    '1-',
    '1+a.',
    'DE1',
  ]
  const forms: ((text: string) => string)[] = [
    (text) => text,
    (text) => `a@${text}`,
    (text) => `http://${text}`,
    (text) => `${text}\0`,
  ]
  const addresses = [isEmail, isHttpUrl, isWebAddress, isIp]
  for (const check of [...addresses, isCleanText, isSlug, isVersion, normalVatId]) {
    for (const [seed, form] of seeds.flatMap((seed) => forms.map((form) => [seed, form] as const))) {
      assertLinear(`${check.name} of ${JSON.stringify(form(seed))}`, 50_000, (length) => {
        const text = form(seed.repeat(length / seed.length))
        return () => void check(text)
      })
    }
  }
})

test('the address of a site may lack its protocol, and has no other one than http and https', () => {
  all(
    isWebAddress,
    [
      'https://example.com/shop?a=b#c',
      'HTTP://example.com:8080',
      'example.com',
      'example.com:8080/a:b',
      'localhost:3000',
      'localhost/wordpress',
      '127.0.0.1:80',
      '[::1]:80',
    ],
    true,
  )
  all(
    isWebAddress,
    [
      'javascript:1',
      'JavaScript:1/../',
      'javascript://example.com/%0aalert(1)',
      'data:1',
      'vbscript:1',
      'file:///etc/passwd',
      'mailto:1',
      'ftp://example.com',
      'http:example.com',
      'https:/example.com',
      'java\tscript:1',
      ' javascript:1',
      '//example.com',
      'x'.repeat(3_000),
    ],
    false,
  )
})
