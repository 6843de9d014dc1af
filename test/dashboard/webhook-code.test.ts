// Runs slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getPHPLoaderModule } from '@php-wasm/node-8-3'
import { loadPHPRuntime, PHP } from '@php-wasm/universal'
import { loadPyodide } from 'pyodide'
import {
  newWebhookSecret,
  signingKey,
  standardHeaders,
} from '../../src/events/delivery/webhook-signatures.ts'
import { CODE, CODE_LANGUAGES } from '../../web/dashboard/pages/webhooks/code.ts'
import { judge, TOLERANCE } from '../../web/dashboard/pages/webhooks/signature.ts'

interface Message {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const NOW = Math.floor(Date.now() / 1000)
const secret = newWebhookSecret()
const other = newWebhookSecret()
const body = '{"type":"license.created","data":{"name":"Zoë \\u0022 \\\\ €"}}'

const signed = (secrets: readonly string[], timestamp = NOW): Message => ({
  secret,
  body,
  headers: standardHeaders(secrets.map(signingKey), { id: 'evt_7', timestamp, body }),
})

/** Each message, and whether a receiver shall take it. */
const CASES: readonly (readonly [name: string, message: Message, isTaken: boolean])[] = [
  ['signed', signed([secret]), true],
  ['signed by both secrets of a rotation', signed([other, secret]), true],
  ['signed by another secret', signed([other]), false],
  ['with another body', { ...signed([secret]), body: `${body} ` }, false],
  ['too old', signed([secret], NOW - TOLERANCE - 60), false],
  ['from the future', signed([secret], NOW + TOLERANCE + 60), false],
  ['without a time', { ...signed([secret]), headers: { 'webhook-id': 'evt_7' } }, false],
  [
    'with an empty signature',
    { ...signed([secret]), headers: { ...signed([secret]).headers, 'webhook-signature': '' } },
    false,
  ],
]
const TAKEN = CASES.map(([, , isTaken]) => isTaken)
const MESSAGES = CASES.map(([, message]) => message)

test('the page itself says of each message whether it is signed', async () => {
  const verdicts = await Promise.all(
    MESSAGES.map((message) =>
      judge(
        {
          secret: message.secret,
          body: message.body,
          id: message.headers['webhook-id'] ?? '',
          timestamp: message.headers['webhook-timestamp'] ?? '',
          signature: message.headers['webhook-signature'] ?? '',
        },
        NOW,
      ),
    ),
  )
  assert.deepEqual(verdicts, [
    'valid',
    'valid',
    'no_match',
    'no_match',
    'old',
    'old',
    'bad_timestamp',
    'no_signature',
  ])
  const got = { secret: 'sk_1', id: '', timestamp: '', signature: '', body: '' }
  assert.equal(await judge(got, NOW), 'bad_secret')
})

test('the code in JavaScript takes what is signed, and nothing else', async () => {
  const { isFromKeywright } = (await import(
    `data:text/javascript,${encodeURIComponent(CODE.JavaScript)}`
  )) as { readonly isFromKeywright: (secret: string, headers: object, body: string) => boolean }
  assert.deepEqual(
    MESSAGES.map((one) => isFromKeywright(one.secret, one.headers, one.body)),
    TAKEN,
  )
})

test('the code in Python does the same', async () => {
  const python = await loadPyodide()
  python.globals.set('table_text', JSON.stringify(MESSAGES))
  const told: unknown = python.runPython(`${CODE.Python}
import json
json.dumps([is_from_keywright(one["secret"], one["headers"], one["body"].encode()) for one in json.loads(table_text)])`)
  assert.deepEqual(JSON.parse(String(told)), TAKEN)
})

test('the code in PHP does the same', async () => {
  const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule(), {}))
  try {
    php.writeFile('/table.json', JSON.stringify(MESSAGES))
    const all = `array_map(fn ($one) => is_from_keywright($one['secret'], $one['headers'], $one['body']),
      json_decode(file_get_contents('/table.json'), true))`
    const { text, errors } = await php.run({ code: `${CODE.PHP}\necho json_encode(${all});` })
    assert.equal(errors, '')
    assert.deepEqual(JSON.parse(text), TAKEN)
  } finally {
    php.exit()
  }
})

test('each language compares in constant time, and looks at the time', () => {
  const compares = {
    JavaScript: /timingSafeEqual\(/,
    PHP: /hash_equals\(/,
    Python: /compare_digest\(/,
    Go: /hmac\.Equal\(/,
  }
  for (const language of CODE_LANGUAGES) {
    assert.match(CODE[language], compares[language])
    assert.match(CODE[language], /300|5\*time\.Minute/)
  }
})
