// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations, refusals } from '../../src/app.ts'
import { refusalsOf } from '../../src/http/refusals.ts'
import { ARCHIVES } from '../../web/ui/german/archives.ts'
import { CODES, CODES_OF_FIELDS } from '../../web/ui/german/codes.ts'
import { FAULTS_OF_THINGS } from '../../web/ui/german/faults-of-things.ts'
import { FAULTS } from '../../web/ui/german/faults.ts'
import { germanFault, germanRefusal, germanSentence } from '../../web/ui/german/refusal.ts'
import { SENTENCES } from '../../web/ui/german/sentences.ts'
import { THINGS } from '../../web/ui/german/things.ts'
import { nounsNotFound, refusalsWritten, saidOfFields, texts } from './said-by-server.ts'

/** What only a program is answered, which signs, brings a token, or writes its requests by itself. */
const OF_PROGRAMS =
  /^(authorization_malformed|content_md5_mismatch|public_key_unknown|request_(date_\w+|expired)|signature_\w+|token_\w+)$/

/** Whether a page of the seller or of a customer may send it: with a session, or with none at all. */
const isSentByPages = ({ scopes, caller }: (typeof operations)[number]): boolean =>
  scopes.some((scope) => ['account', 'store_account', 'developer', 'user'].includes(scope)) ||
  ['session', 'portal', 'open'].includes(caller ?? '')

const codesOfPages = new Set<string>(
  operations.filter(isSentByPages).flatMap((op) => refusalsOf(op).filter((code) => !OF_PROGRAMS.test(code))),
)
const german = { ...CODES, ...CODES_OF_FIELDS }

test('each code that a page may be answered has German words, and no other one', () => {
  assert.ok(codesOfPages.size > 100, String(codesOfPages.size))
  assert.deepEqual(Object.keys(german).toSorted(), [...codesOfPages].toSorted())
  for (const code of codesOfPages) assert.ok(code in refusals, code)
})

test('each sentence that the server says of a field has German words, and each of these is one that it says', () => {
  const said = saidOfFields()
  assert.ok(said.length > 200, String(said.length))
  assert.deepEqual(
    said.filter((sentence) => germanFault(sentence) === null),
    [],
  )
  const patterns = Object.keys({ ...FAULTS, ...FAULTS_OF_THINGS, ...ARCHIVES })
  assert.deepEqual(
    patterns.filter((pattern) => !said.some((sentence) => fits(sentence, pattern))),
    [],
  )
})

/** Whether a sentence has the parts of a pattern around its `{name}`. */
function fits(sentence: string, pattern: string): boolean {
  const parts = pattern.split(/\{\w+\}/)
  let at = 0
  return parts.every((part) => {
    const found = sentence.indexOf(part, at)
    at = found + part.length
    return found >= 0
  })
}

/** Whose values are words, or nothing that a person needs. */
const OF_WORDS =
  /^(csrf_required|invalid_(json|multipart|uid)|plan_order_mismatch|license_lifetime|account_verification_required)$/

test('what a refusal fills into its sentence, such as an amount or an id, stands in the German one too', () => {
  const filled = refusalsWritten.flatMap(({ code, text }) => {
    const isOfPages = codesOfPages.has(code) && !OF_WORDS.test(code)
    return isOfPages && text?.isFilled && !OF_PARTS.has(text.text) ? [{ code, message: text.text }] : []
  })
  assert.ok(filled.length > 5, String(filled.length))
  const dropped = [...filled, ...MADE].filter(
    (said) => germanSentence({ ...said, details: [] })?.includes('7') !== true,
  )
  assert.deepEqual(dropped, [])
})

/** What is put together of parts that stand apart, and that as it is read. */
const OF_PARTS = new Set([
  '7 7 wait; ask again when one of them is done.',
  'There is no such 7.',
  'The file 7.',
  'The import 7.',
  'The seller has this switched off in the portal.7',
])
const MADE = [
  { code: 'too_many_waiting', message: '7 exports wait; ask again when one of them is done.' },
  { code: 'too_many_waiting', message: '7 bulk actions wait; ask again when one of them is done.' },
  {
    code: 'off_in_portal',
    message: 'The seller has this switched off in the portal. Write to 7@example.com.',
  },
  { code: 'invalid_archive', message: 'The file has more than 7 entries.' },
  { code: 'refund_refused', message: 'Card 7 is closed.' },
  { code: 'role_not_allowed', message: 'The role support lacks the right to write 7.' },
]

test('each thing that the server says is not there has its German name', () => {
  assert.ok(nounsNotFound.length > 40, String(nounsNotFound.length))
  const unnamed = [...nounsNotFound, ...Object.keys(THINGS)].filter(
    (noun) => germanSentence(notThere(noun)) === CODES['not_found'],
  )
  assert.deepEqual(unnamed, [])
  assert.equal(germanSentence(notThere('license')), 'Diese Lizenz gibt es nicht.')
})

const notThere = (noun: string) => ({
  code: 'not_found',
  message: `There is no such ${noun}.`,
  details: [],
})

test('each sentence of a refusal that has German of its own is one that the server says', () => {
  const said = new Set(texts.map(({ text }) => text))
  const made = /^The import |^\{count\} |The seller has this switched off|^\{what\} is for admins/
  assert.deepEqual(
    Object.keys(SENTENCES).filter(
      (sentence) => !made.test(sentence) && !said.has(sentence.replaceAll(/\{\w+\}/g, '7')),
    ),
    [],
  )
})

test('a refusal is German above the form and at its fields; what has no German stays as the server says it', () => {
  const details = [
    { field: 'email', message: 'must be a valid email address' },
    { field: 'name', message: 'is required' },
    { field: 'odd', message: 'is odd' },
  ]
  const refusal = { code: 'invalid_argument', message: 'Malformed: …', details }
  assert.deepEqual(germanRefusal(refusal), {
    message:
      'Das passt so nicht: email muss eine gültige E-Mail-Adresse sein; name darf nicht fehlen; odd is odd.',
    details: [
      { field: 'email', message: 'muss eine gültige E-Mail-Adresse sein' },
      { field: 'name', message: 'darf nicht fehlen' },
      { field: 'odd', message: 'is odd' },
    ],
  })
  const listed = 'Malformed: quota must be integer; days is odd.'
  assert.equal(
    germanSentence({ code: 'invalid_argument', message: listed, details: [] }),
    'Das passt so nicht: quota muss eine ganze Zahl sein; days is odd.',
  )
  const message = 'There is a developer with this address.'
  const taken = { code: 'developer_email_taken', message, details: [{ field: 'email', message }] }
  assert.equal(germanRefusal(taken).details[0]?.message, CODES['developer_email_taken'])
  const news = { code: 'brand_new', message: 'Something else.', details: [] }
  assert.deepEqual(germanRefusal(news), { message: 'Something else.', details: [] })
})
