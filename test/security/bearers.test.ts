// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '../../src/log.ts'
import { toRfc2822 } from '../../src/lib/time.ts'
import { CONTENT_PLACE } from '../../src/mail/outbox.ts'
import { deliverAll, endListeners, startReceiver } from '../webhooks.ts'
import { allOf } from '../whole-database.ts'
import { jsonBody, type Answer, type Call } from './client.ts'
import { allowedRequest, mainMounts } from './requests.ts'
import { issuedIn, spellingsOf } from './secrets.ts'
import { signed } from './signing.ts'
import { startWorld, type World } from './world.ts'

const lines: string[] = []
let world: World
before(async () => {
  world = await startWorld('bearers', {
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    config: { trustProxy: ['127.0.0.1'], mode: 'development' },
  })
})
after(() => world.close())

/** What a reply hands out that nobody guesses: long, of letters and digits, and no public key. */
const HANDED = /(?<![\w-])(?!pk_)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}/g
/** A listener's address has one too. */
const LISTENER = 'https://hooks.example.com/T0ken/InThePathOfAListener1?key=K3yInTheQueryOfAListener'

/** What is no secret, by the name that it has in replies: hashes of what anybody may know, names of ours. */
const SHOWN =
  /"(?:uid|etag|external_id|public_key|user_public_key|install_public_key|icon|picture|profile_picture|premium_slug|slug|icon_url|banner|card_banner|request_id|file_name|name|path)":"[^"]*"/g

const handed = new Map<string, string>()

function harvest(what: string, text: string, sent: string): void {
  for (const [value] of text.replaceAll(SHOWN, '').matchAll(HANDED)) {
    if (!sent.includes(value)) handed.set(value, what)
  }
}

async function send(what: string, call: Call): Promise<Answer> {
  const answer = await world.send(call)
  const set = JSON.stringify(answer.headers['set-cookie'] ?? '')
  harvest(what, answer.text + set, `${call.path} ${String(call.body ?? '')}`)
  return answer
}

/** A checkout that is opened, changed and paid, as anybody does. */
async function buySomething(): Promise<void> {
  const { id } = world.seller.product
  const body = { product_id: id, user_email: 'bearer@example.com', country_code: 'us' }
  const opened = await send('checkout', {
    method: 'POST',
    path: '/v1/checkout/sessions.json',
    ...jsonBody(body),
  })
  assert.equal(opened.status, 201, opened.text)
  const path = `/v1/checkout/sessions/${opened.json.id}`
  assert.ok(handed.has(opened.json.id), 'the token of a checkout was handed out')
  const coupon = { user_firstname: 'Bea' }
  await send('checkout', { method: 'PUT', path: `${path}.json`, ...jsonBody(coupon) })
  const paid = jsonBody({ payment_token: 'test_succeeds' })
  await send('checkout', { method: 'POST', path: `${path}/pay.json`, ...paid })
}

/** A listener that answers that it is gone, and is switched off; no other one is told of anything any more. */
async function switchOneOff(): Promise<void> {
  await endListeners(world, [])
  const receiver = await startReceiver()
  receiver.answer = (response) => response.writeHead(410).end()
  const url = `${receiver.url}/T0ken/InThePathOfAListener2?key=K3yInTheQueryOfAnother`
  const path = `/v1/products/${world.seller.product.id}/webhooks`
  const made = await send(
    'listener',
    asProduct({ method: 'POST', path: `${path}.json`, ...jsonBody({ url }) }),
  )
  handed.set('K3yInTheQueryOfAnother', 'listener').set('InThePathOfAListener2', 'listener')
  await send('test', asProduct({ method: 'POST', path: `${path}/${made.json.id}/test.json` }))
  await deliverAll(world)
  await receiver.close()
}

const asProduct = (call: Call): Call => ({
  ...call,
  headers: { ...call.headers, authorization: `Bearer ${world.seller.product.token}` },
})

interface Mail {
  readonly kind: string
  readonly recipient: string
  readonly content: string
}

async function mailed(): Promise<Mail[]> {
  const { db, keys } = world.ctx
  const mails = await db
    .selectFrom('mails')
    .select(['kind', 'recipient', 'content'])
    .where('content', 'is not', null)
    .execute()
  return mails.map((mail) => ({ ...mail, content: keys.open(String(mail.content), CONTENT_PLACE) }))
}

/** The keys of the licenses of whoever has an address: they may read them in their mails. */
async function licenseKeysOf(email: string): Promise<string[]> {
  const { db, keys } = world.ctx
  const rows = await db
    .selectFrom('licenses')
    .innerJoin('users', 'users.id', 'licenses.user_id')
    .select('licenses.secret_key')
    .where('users.email', '=', email)
    .execute()
  return rows.map((row) => keys.open(row.secret_key, 'licenses.secret_key'))
}

/** The head of every token that is signed. */
const HEAD = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')
/** Who asks for a link to be mailed is answered it too, by the kind of the mail. */
const OWN_LINKS: Readonly<Record<string, string>> = { portal_link: 'products/generate-portal-login-link' }

/** What mails say of what was handed out otherwise. */
async function saidIn(mails: readonly Mail[], inReplies: ReadonlyMap<string, string>): Promise<string[]> {
  const found: string[] = []
  for (const { kind, recipient, content } of mails) {
    const own = await licenseKeysOf(recipient)
    for (const [value, what] of inReplies) {
      if (value === HEAD || own.includes(value) || OWN_LINKS[kind] === what) continue
      if (spellingsOf(value).some((spelling) => content.includes(spelling)))
        found.push(`${what}: ${value} in a mail ${kind}`)
    }
  }
  return found
}

/** Handed out by mails alone. */
const LINKS = new Set(['confirmation token', 'invitation token', 'ownership token'])

test('nothing that opens anything stands in clear in the database, the log or the mail of another, whoever was handed it', async () => {
  const { product } = world.seller
  const webhook = { method: 'POST', path: `/v1/products/${product.id}/webhooks.json` }
  const made = await send('listener', asProduct({ ...webhook, ...jsonBody({ url: LISTENER }) }))
  assert.equal(made.status, 201, made.text)
  handed.set('K3yInTheQueryOfAListener', 'listener').set('InThePathOfAListener1', 'listener')
  await buySomething()
  for (const mount of mainMounts()) await send(mount.op.id, await allowedRequest(world, mount))
  await switchOneOff()
  const date = toRfc2822(world.ctx.clock.real())
  await send('signed', signed(product, { method: 'GET', path: webhook.path }, { date, signedType: null }))
  const mails = await mailed()
  const inReplies = new Map(handed)
  for (const { kind, content } of mails) harvest(`mail ${kind}`, content, '')
  await world.stop()
  for (const { what, value } of await issuedIn(world)) {
    handed.set(value, what)
    if (!LINKS.has(what)) inReplies.set(value, what)
  }
  const tables = await allOf(world.ctx.database)
  const log = lines.join('')
  assert.ok(handed.size > 60, `${handed.size} were handed out`)
  const kinds = new Set(mails.map(({ kind }) => kind))
  assert.ok(kinds.size > 5 && kinds.has('webhook_off'), [...kinds].join())
  const found = await saidIn(mails, inReplies)
  for (const [value, what] of handed) {
    for (const spelling of spellingsOf(value)) {
      const where = Object.keys(tables).filter((name) => tables[name]?.includes(spelling))
      if (log.includes(spelling)) where.push('the log')
      if (where.length > 0) found.push(`${what}: ${value} in ${where.join(', ')}`)
    }
  }
  assert.deepEqual(found, [])
})
