import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Mail } from './deliver.ts'
import { folderTransport } from './folder.ts'

let base: string
before(async () => {
  base = await mkdtemp(join(tmpdir(), 'keywright-folder-'))
})
after(() => rm(base, { recursive: true }))

const mail = (change: Partial<Mail> = {}): Mail => ({
  id: 7,
  recipient: 'reader@example.com',
  from: { name: 'Keywright', address: 'no-reply@shop.example.com' },
  sender: null,
  replyTo: null,
  subject: 'Confirm your address',
  text: 'Hello\n\nhttps://shop.example.com/confirm-email/abc\n',
  html: '<p>Hello</p>',
  messageId: '<mail-7@keywright>',
  date: 'Sat, 31 Jan 2026 10:00:00 +0000',
  unsubscribe: null,
  files: [],
  ...change,
})

let folders = 0
async function delivered(change: Partial<Mail> = {}) {
  const folder = join(base, String(++folders), 'mail')
  await folderTransport(folder).deliver(mail(change))
  return { folder, text: await readFile(join(folder, `${change.id ?? 7}.eml`), 'utf8') }
}

/** Header name → value, folded lines joined. */
function headersOf(text: string): Record<string, string> {
  const [head = ''] = text.split('\r\n\r\n')
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(lines.map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]))
}
const HEADERS = [
  'Auto-Submitted',
  'From',
  'To',
  'Subject',
  'Message-ID',
  'Date',
  'MIME-Version',
  'Content-Type',
]

test('a delivered mail is one file, named by its id, with the headers it was given', async () => {
  const { folder, text } = await delivered()
  assert.deepEqual(await readdir(folder), ['7.eml'])
  const { 'Content-Type': type, ...headers } = headersOf(text)
  assert.deepEqual(headers, {
    'Auto-Submitted': 'auto-generated',
    From: 'Keywright <no-reply@shop.example.com>',
    To: 'reader@example.com',
    Subject: 'Confirm your address',
    'Message-ID': '<mail-7@keywright>',
    Date: 'Sat, 31 Jan 2026 10:00:00 +0000',
    'MIME-Version': '1.0',
  })
  assert.match(type ?? '', /^multipart\/alternative;/)
  assert.match(text, /\r\nHello\r\n\r\nhttps:\/\/shop\.example\.com\/confirm-email\/abc\r\n/)
  assert.match(text, /<p>Hello<\/p>/)
})

test('a repeated delivery replaces the file', async () => {
  const { folder } = await delivered({ id: 8, subject: 'First' })
  await folderTransport(folder).deliver(mail({ id: 8, subject: 'Second' }))
  assert.deepEqual(await readdir(folder), ['8.eml'])
  assert.equal(headersOf(await readFile(join(folder, '8.eml'), 'utf8'))['Subject'], 'Second')
})

test('only the owner can read mails', { skip: process.platform === 'win32' }, async () => {
  const { folder } = await delivered()
  assert.equal((await stat(folder)).mode & 0o077, 0)
  assert.equal((await stat(join(folder, '7.eml'))).mode & 0o077, 0)
})

for (const end of ['\r\n', '\n', '\r', '\r\n ', '\u2028']) {
  test(`a subject with ${JSON.stringify(end)} adds no header`, async () => {
    const { text } = await delivered({
      subject: `Confirm${end}Bcc: victim@example.com${end}${end}<p>body</p>`,
    })
    assert.deepEqual(Object.keys(headersOf(text)), HEADERS)
    assert.doesNotMatch(text, /^Bcc:/im)
  })
}

test('a name in other letters is encoded in the subject', async () => {
  const { text } = await delivered({ subject: 'Größe – 鍵' })
  assert.match(headersOf(text)['Subject'] ?? '', /^=\?UTF-8\?[QB]\?[!-~]+\?=$/)
})

const recipients = [
  'a@example.com\r\nBcc: victim@example.com',
  'a@example.com, victim@example.com',
  'a@example.com;victim@example.com',
  'Name <a@example.com>',
  '"a@example.com victim"@example.com',
  'no address',
  '',
]
for (const recipient of recipients) {
  test(`the recipient ${JSON.stringify(recipient)} is refused, and nothing is written`, async () => {
    const folder = join(base, String(++folders))
    await assert.rejects(folderTransport(folder).deliver(mail({ recipient })), /recipient/)
    await assert.rejects(readdir(folder))
  })
}

for (const address of recipients) {
  test(`the sender ${JSON.stringify(address)} is refused, and nothing is written`, async () => {
    const folder = join(base, String(++folders))
    const server = { name: 'Keywright', address: 'no-reply@shop.example.com' }
    const wrong = mail({ from: { name: 'Shop', address }, sender: server })
    await assert.rejects(folderTransport(folder).deliver(wrong), /sender/)
    await assert.rejects(readdir(folder))
  })
}

for (const address of recipients) {
  test(`the address for answers ${JSON.stringify(address)} is refused, and nothing is written`, async () => {
    const folder = join(base, String(++folders))
    const wrong = mail({ replyTo: { name: 'Help', address } })
    await assert.rejects(folderTransport(folder).deliver(wrong), /answered/)
    await assert.rejects(readdir(folder))
  })
}

test('a delivery that fails leaves no half file behind', async () => {
  const folder = join(base, String(++folders))
  await mkdir(join(folder, '7.eml'), { recursive: true })
  await assert.rejects(folderTransport(folder).deliver(mail()))
  assert.deepEqual(await readdir(folder), ['7.eml'])
})
