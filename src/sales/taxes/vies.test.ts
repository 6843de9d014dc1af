import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { checkVatId } from './vat-id.ts'
import { vatIdRegister } from './vat-ids.ts'
import { viesOffice, type Office } from './vies.ts'

/** Stands for VIES: answers what the test says, and remembers what it was asked. */
let answer: (response: ServerResponse) => void
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  answer(response)
})
let now = 0
let office: Office
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked.length = 0
  now = Date.UTC(2026, 0, 31)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest-api`
  office = viesOffice({ url, now: () => now, timeoutMs: 200 })
})

const MINUTE = 60_000
const says =
  (value: unknown, status = 200) =>
  (response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof value === 'string' ? value : JSON.stringify(value))
const VALID = says({ isValid: true, userError: 'VALID', name: 'Example' })
const INVALID = says({ isValid: false, userError: 'INVALID' })
const DOWN = says({ isValid: false, userError: 'MS_UNAVAILABLE' })

const check = async (text: string) => (await checkVatId(text, vatIdRegister(office)))?.check

test('an id is known or not, as the office of its country says', async () => {
  answer = VALID
  assert.equal(await check('DE 136695976'), 'valid')
  answer = INVALID
  assert.equal(await check('EL094259216'), 'invalid')
  assert.deepEqual(asked, ['/rest-api/ms/DE/vat/136695976', '/rest-api/ms/EL/vat/094259216'])
})

test('Greece is asked for by its name there, however the id was written', async () => {
  answer = VALID
  await vatIdRegister(office).isKnown('GR094259216')
  assert.deepEqual(asked, ['/rest-api/ms/EL/vat/094259216'])
})

test('an answer is kept: a day when the id is known, an hour when it is not', async () => {
  for (const [says, ms] of [
    [VALID, 24 * 60 * MINUTE],
    [INVALID, 60 * MINUTE],
  ] as const) {
    asked.length = 0
    answer = says
    const id = says === VALID ? 'DE136695976' : 'FR40303265045'
    await check(id)
    now += ms - 1
    await check(id)
    assert.equal(asked.length, 1)
    now += 1
    await check(id)
    assert.equal(asked.length, 2)
  }
})

test('twenty who ask for the same at once are one question', async () => {
  answer = VALID
  const answers = await Promise.all(Array.from({ length: 20 }, () => check('DE136695976')))
  assert.deepEqual(new Set(answers), new Set(['valid']))
  assert.equal(asked.length, 1)
})

const MISBEHAVIOUR: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'does not answer': () => {},
  'begins and does not end': (response) => void response.writeHead(200).write('{"isValid": true'),
  'breaks off': (response) => void response.destroy(),
  'answers with a fault': says({ isValid: true }, 500),
  'answers without JSON': says('<html>'),
  'answers something else': says({ valid: true }),
  'answers null': says('null'),
  'answers far too much': says({ isValid: true, userError: 'VALID', name: 'x'.repeat(100_000) }),
  'sends elsewhere': (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'says that the country does not answer': DOWN,
  'says that too many ask': says({ isValid: false, userError: 'MS_MAX_CONCURRENT_REQ' }),
}
for (const [what, misbehave] of Object.entries(MISBEHAVIOUR)) {
  test(`while it ${what} an id is unchecked`, async () => {
    answer = misbehave
    assert.equal(await check('DE136695976'), 'unchecked')
  })
}

test('an office that did not answer is left alone for a minute, those of other countries are not', async () => {
  answer = DOWN
  assert.equal(await check('DE136695976'), 'unchecked')
  answer = VALID
  assert.equal(await check('DE811569869'), 'unchecked')
  assert.equal(await check('FR40303265045'), 'valid')
  assert.equal(asked.length, 2)
  now += MINUTE
  assert.equal(await check('DE136695976'), 'valid')
})

test('no server at all is unchecked too', async () => {
  office = viesOffice({ url: 'http://127.0.0.1:1', now: () => now })
  assert.equal(await check('DE136695976'), 'unchecked')
})
