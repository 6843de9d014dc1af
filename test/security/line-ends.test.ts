// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deliverMails } from '../../src/jobs/deliver-mails.ts'
import { runDue } from '../../src/jobs/worker.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { pluginZip, uploadOf } from '../archives.ts'
import { asDeveloper, type CallAs } from '../callers.ts'
import { createOwner } from '../installs.ts'
import { startSmtp, type TestSmtp } from '../smtp.ts'

/** Would be a header and a body of its own, if it got out as it is. */
const ENDS = ['\r\n', '\n', '\r', '\u0085', '\0']
const bait = (end: string) => `a${end}Bcc: victim@example.com${end}x-injected: 1${end}${end}body`

let app: TestApp
let smtp: TestSmtp
let developer: CallAs
before(async () => {
  smtp = await startSmtp()
  const from = { name: 'The Company', address: 'mail@company.example.com' }
  app = await startTestApp('line_ends', { config: { mail: { smtp: smtp.settings, from } } })
  developer = await asDeveloper(app)
})
after(async () => {
  await app.close()
  await smtp.close()
})

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`

describe('S28: line ends', () => {
  test('in what a mail is made of are refused where they are given', async () => {
    const email = 'line-ends@example.com'
    const before = (await app.ctx.db.selectFrom('mails').select('id').execute()).length
    for (const end of ENDS) {
      const text = bait(end)
      const user = (body: object) => app.call('POST', path('/users.json'), { body })
      const addresses = (body: object) => developer('PUT', path('/emails/addresses.json'), body)
      const replies = [
        await user({ email: `${email}${end}Bcc: victim@example.com`, name: 'Some Body' }),
        await user({ email, name: text }),
        await user({ email, first: text, last: 'Body' }),
        await addresses({ general: `a@example.com${end}Bcc: victim@example.com` }),
        await addresses({ general: 'a@example.com', general_name: text }),
        await developer('PUT', path('.json'), { title: text }),
        await developer('POST', path('/plans.json'), { name: 'plan', title: text }),
      ]
      const statuses = replies.map(({ status }) => status)
      assert.deepEqual(new Set(statuses), new Set([400]), `${JSON.stringify(end)}: ${statuses.join()}`)
    }
    const now = (await app.ctx.db.selectFrom('mails').select('id').execute()).length
    assert.equal(now, before)
  })

  test('that are in the database all the same add no header and no recipient to a mail', async () => {
    const { product, store } = app.seller
    const { id, email } = await createOwner(app)
    for (const end of storedEnds(app)) {
      const text = bait(end)
      await app.write(async ({ db }) => {
        await db.updateTable('products').set({ title: text }).where('id', '=', product.id).execute()
        await db.updateTable('users').set({ first: text, last: text }).where('id', '=', Number(id)).execute()
        await db.deleteFrom('email_addresses').execute()
      })
      await developer('PUT', `/stores/${store.id}/emails/addresses.json`, {
        general: 'shop@example.com',
        general_name: 'Shop',
      })
      await app.write(({ db }) => db.updateTable('email_addresses').set({ general_name: text }).execute())
      smtp.received.length = 0
      const { status } = await app.call('POST', path('/portal/login.json'), {
        body: { email, send_email: true },
      })
      assert.equal(status, 201)
      await runDue(app.ctx, [deliverMails])
      const sent = smtp.received.filter(({ body }) => body.includes('/portal'))
      assert.equal(sent.length, 1)
      for (const { to, names, headers } of sent) {
        assert.deepEqual([to, headers.get('To')], [email, email])
        assert.deepEqual(names.toSorted(), HEADERS)
      }
    }
  })

  test('in the name of an uploaded file add no header to an answer and reach no event', async () => {
    const { body, headers } = uploadOf(await pluginZip({ version: '1.0' }))
    for (const [n, end] of ['\r\n', '\n', '\r', '\u000b', '%0d%0a', '\\r\\n', '"; x="'].entries()) {
      const name = `ex${end}x-injected: 1${end}.zip`
      const spoiled = Buffer.from(body.toString('latin1').replace('example.zip', name), 'latin1')
      const reply = await app.call('POST', path('/tags.json'), { body: spoiled, headers })
      assert.ok(reply.status < 500, `${n}: ${reply.text}`)
      assert.equal(reply.headers.get('x-injected'), null)
      if (reply.status !== 200) continue
      const { events } = (await app.call('GET', path('/events.json?type=plugin.version.deployed&count=1')))
        .json
      assert.doesNotMatch(String(events[0].data.file), /[\p{Cc}"]/u)
      const zip = await fetch(`${app.address}/v1${path(`/tags/${reply.json.id}.zip?is_premium=true`)}`, {
        headers: { authorization: `Bearer ${app.seller.product.token}` },
      })
      await zip.arrayBuffer()
      assert.equal(zip.headers.get('x-injected'), null)
      assert.match(zip.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+\.zip"$/)
      await app.call('DELETE', path(`/tags/${reply.json.id}.json`))
    }
  })
})

/** What a text in the database can hold: PostgreSQL keeps no NUL. */
const storedEnds = ({ ctx }: TestApp) =>
  [...ENDS, '\u2028'].filter((end) => end !== '\0' || ctx.database.engine === 'sqlite')

/** Of a mail that nobody can be taken off. */
const HEADERS = 'Auto-Submitted,Content-Type,Date,From,MIME-Version,Message-ID,Sender,Subject,To'.split(',')
