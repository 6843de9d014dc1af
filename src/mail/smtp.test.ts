// Runs beside others.
import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startSmtp, TEST_CERTIFICATE, type SmtpOptions, type TestSmtp } from '../../test/smtp.ts'
import type { SmtpSettings } from '../lib/mail-settings.ts'
import { MailPutOff, MailRefused, type Mail } from './deliver.ts'
import { renderMail } from './render.ts'
import { SAMPLES } from './samples.ts'
import type { Template } from './templates.ts'
import { en } from './texts/en.ts'
import { smtpTransport } from './smtp.ts'

const goOn = new AbortController().signal

const mail = (change: Partial<Mail> = {}): Mail => ({
  id: 7,
  recipient: 'reader@example.com',
  from: { name: 'The Shop', address: 'hello@shop.example.com' },
  sender: { name: 'Keywright', address: 'no-reply@keywright.test' },
  replyTo: null,
  subject: 'Grüße',
  text: 'Hello\n.\n.more\n',
  html: '<p>Hello</p>',
  messageId: '<mail-7.1@keywright.test>',
  date: 'Sat, 31 Jan 2026 10:00:00 +0000',
  unsubscribe: null,
  files: [],
  ...change,
})

interface Wanted extends SmtpOptions {
  readonly settings?: Partial<SmtpSettings>
  readonly answerMs?: number
}

async function open(t: TestContext, { settings, answerMs = 2_000, ...options }: Wanted = {}) {
  const server = await startSmtp(options)
  const transport = smtpTransport({ ...server.settings, ...settings }, { connectMs: 2_000, answerMs })
  t.after(async () => {
    transport.close()
    await server.close()
  })
  return { server, deliver: (change: Partial<Mail> = {}) => transport.deliver(mail(change), goOn) }
}

const only = ({ received }: TestSmtp) => {
  const [first, ...more] = received
  assert.deepEqual(more, [])
  return first ?? assert.fail('nothing was received')
}

test('a mail arrives with its headers, from the seller, and says that this server sends it', async (t) => {
  const { server, deliver } = await open(t)
  await deliver({ unsubscribe: 'https://shop.example.com/unsubscribe/token' })
  const { from, to, headers, body } = only(server)
  assert.deepEqual([from, to], ['no-reply@keywright.test', 'reader@example.com'])
  const { 'Content-Type': type, Subject: subject, ...others } = Object.fromEntries(headers)
  assert.deepEqual(others, {
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': '<https://shop.example.com/unsubscribe/token>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    From: 'The Shop <hello@shop.example.com>',
    Sender: 'Keywright <no-reply@keywright.test>',
    To: 'reader@example.com',
    'Message-ID': '<mail-7.1@keywright.test>',
    Date: 'Sat, 31 Jan 2026 10:00:00 +0000',
    'MIME-Version': '1.0',
  })
  assert.match(type ?? '', /^multipart\/alternative;/)
  assert.match(subject ?? '', /^=\?UTF-8\?[QB]\?[!-~]+\?=$/)
  assert.match(body, /\r\nHello\r\n\.\r\n\.more\r\n/)
  assert.match(body, /<p>Hello<\/p>/)
})

test('mails of a run share connections, five at once', async (t) => {
  let connections = 0
  const { server, deliver } = await open(t, {
    server: {
      onConnect(_session, done) {
        connections++
        done()
      },
    },
  })
  for (let round = 0; round < 3; round++) {
    await Promise.all([1, 2, 3, 4, 5].map((n) => deliver({ recipient: `reader${n}@example.com` })))
  }
  assert.equal(server.received.length, 15)
  assert.ok(connections <= 5, `${connections} connections`)
})

for (const [name, options, status] of [
  ['a recipient that is not there', { rcpt: () => '550 5.1.1 No such mailbox' }, 'bounce'],
  ['a recipient that is not there, without an enhanced code', { rcpt: () => '550 Unknown' }, 'bounce'],
  ['a recipient that policy forbids', { rcpt: () => '554 5.7.1 Relay access denied' }, 'dropped'],
  ['a message that is not taken', { data: () => '554 5.6.0 Looks like spam' }, 'dropped'],
] as const) {
  test(`${name} is refused for good: ${status}`, async (t) => {
    const { deliver } = await open(t, options)
    const error = await deliver().catch((reason: unknown) => reason)
    assert.ok(error instanceof MailRefused)
    assert.equal(error.status, status)
  })
}

for (const [name, options, isPutOff] of [
  ['a recipient that is busy', { rcpt: () => '450 4.2.1 Try later' }, true],
  ['a message that is put off', { data: () => '451 4.3.0 Greylisted' }, true],
  ['a server that closes down', { rcpt: () => '421 4.3.2 Closing' }, false],
  ['a server that wants a login', { rcpt: () => '530 5.7.0 Authentication required' }, false],
  ['a sender that is refused', { server: { onMailFrom: (_a, _s, done) => done(refusal(550)) } }, false],
  [
    'a login that is refused',
    {
      server: { allowInsecureAuth: true, onAuth: (_auth, _session, done) => done(refusal(535)) },
      settings: { login: { user: 'shop', password: 'secret-password' } },
    },
    false,
  ],
] as const satisfies readonly (readonly [string, Wanted, boolean])[]) {
  test(`${name} is no refusal of the mail, and is tried again`, async (t) => {
    const { server, deliver } = await open(t, options)
    const error = await deliver().catch((reason: unknown) => reason)
    assert.ok(error instanceof Error && !(error instanceof MailRefused))
    assert.equal(error instanceof MailPutOff, isPutOff)
    assert.ok(!error.message.includes('secret-password'))
    assert.deepEqual(server.received, [])
  })
}
const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode })

test('a refused mail leaves the connection to the next one', async (t) => {
  const { server, deliver } = await open(t, {
    rcpt: ({ to }) => (to === 'gone@example.com' ? '550 5.1.1 Gone' : undefined),
  })
  await assert.rejects(deliver({ recipient: 'gone@example.com' }), MailRefused)
  await deliver()
  assert.equal(only(server).to, 'reader@example.com')
})

test('a server that does not answer in time is given up, and so is one whom nobody waits for any more', async (t) => {
  const silent = { onMessage: () => new Promise<void>(() => {}) }
  const slow = await open(t, { ...silent, answerMs: 60 })
  await assert.rejects(slow.deliver(), /[Tt]imeout/)
  const giveUp = new AbortController()
  const server = await startSmtp({ onMessage: () => (giveUp.abort(), new Promise<void>(() => {})) })
  const transport = smtpTransport(server.settings)
  await assert.rejects(transport.deliver(mail(), giveUp.signal), /abort/i)
  transport.close()
  await server.close()
})

test('a connection that is dropped before the answer is one failure, and not tried again behind our back', async (t) => {
  let messages = 0
  const { deliver } = await open(t, {
    onMessage(server) {
      messages++
      server.drop()
    },
  })
  await assert.rejects(deliver(), (error) => !(error instanceof MailRefused))
  assert.equal(messages, 1)
})

test('a server that ends the connection before it greets is one failure', async (t) => {
  let connections = 0
  const { server, deliver } = await open(t, {
    server: {
      onConnect() {
        connections++
        server.drop()
      },
    },
  })
  await assert.rejects(deliver(), (error) => !(error instanceof MailRefused))
  assert.equal(connections, 1)
})

test('nobody who listens is an error', async () => {
  const server = await startSmtp()
  await server.close()
  await assert.rejects(smtpTransport(server.settings).deliver(mail(), goOn), /ECONNREFUSED/)
})

const encrypted = { server: { ...TEST_CERTIFICATE, disabledCommands: [] as string[] } }

test('without a certificate that is trusted nothing is sent, at once encrypted or by STARTTLS', async (t) => {
  const byStart = await open(t, { ...encrypted, settings: { security: 'starttls' } })
  await assert.rejects(byStart.deliver(), /certificate/)
  const atOnce = await open(t, {
    server: { ...encrypted.server, secure: true },
    settings: { security: 'tls' },
  })
  await assert.rejects(atOnce.deliver(), /certificate/)
  assert.deepEqual([...byStart.server.received, ...atOnce.server.received], [])
})

test('a server that offers no STARTTLS gets neither password nor mail', async (t) => {
  let logins = 0
  const { server, deliver } = await open(t, {
    server: {
      allowInsecureAuth: true,
      onAuth(_auth, _session, done) {
        logins++
        done(null, { user: 'shop' })
      },
    },
    settings: { security: 'starttls', login: { user: 'shop', password: 'secret-password' } },
  })
  await assert.rejects(deliver(), /STARTTLS|TLS/)
  assert.deepEqual([logins, server.received], [0, []])
})

test('a certificate that is trusted for this host is taken, and the login goes through it', async (t) => {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, TEST_CERTIFICATE.cert])
  after(() => setDefaultCACertificates(before))
  for (const security of ['starttls', 'tls'] as const) {
    const { server, deliver } = await open(t, {
      server: {
        ...encrypted.server,
        secure: security === 'tls',
        onAuth: ({ username, password }, _session, done) => done(null, { user: `${username}:${password}` }),
      },
      settings: { security, login: { user: 'shop', password: 'secret-password' } },
    })
    await deliver()
    const { user, isEncrypted } = only(server)
    assert.deepEqual([user, isEncrypted], ['shop:secret-password', true])
  }
})

const BAIT = `<b>"x'\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>\u2028\u202E`
/** What nobody types: links, codes of currencies, times. */
const OURS = ['link', 'currency', 'time']
const HOSTILE: unknown = JSON.parse(JSON.stringify(SAMPLES), (key, value: unknown) =>
  typeof value === 'string' && !OURS.includes(key) ? `${value}${BAIT}` : value,
)

test('line ends in any value, name, title or sender of any mail add no header and no recipient', async (t) => {
  const { server, deliver } = await open(t)
  const templates = Object.keys(SAMPLES) as Template[]
  for (const template of templates) {
    const values = (HOSTILE as typeof SAMPLES)[template]
    const brand = { product: `Product${BAIT}`, logo: `https://x.example.com/${BAIT}` }
    const content = renderMail(en, brand, {
      template,
      name: `Ada${BAIT}`,
      values,
      unsubscribe: `https://x.example.com/${BAIT}`,
    })
    const from = { name: `Shop${BAIT}`, address: 'shop@example.com' }
    await deliver({ ...content, from, unsubscribe: `https://x.example.com/${BAIT}` })
  }
  assert.equal(server.received.length, templates.length)
  for (const { to, names, headers } of server.received) {
    assert.equal(to, 'reader@example.com')
    assert.deepEqual(
      names.toSorted(),
      'Auto-Submitted,Content-Type,Date,From,MIME-Version,Message-ID,Sender,Subject,To'.split(','),
    )
    assert.equal(headers.get('To'), 'reader@example.com')
  }
})
