import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner, expectOk, newUid } from '../../../test/installs.ts'
import { endedOrWaiting } from '../../../test/lock-waits.ts'
import { callElsewhere, mailsTo } from '../../../test/mails.ts'

/** What begins before the candidate's agreement is noted, which waits until it has ended or waits itself. */
let meanwhile: (() => Promise<unknown>) | null = null

let app: TestApp
before(async () => {
  app = await startTestApp('ownership_meanwhile', {
    onStatement: async (statement) => {
      const work = statement.startsWith('update "ownership_changes" set "candidate_at"') ? meanwhile : null
      if (work === null) return
      meanwhile = null
      await endedOrWaiting(app.ctx.database, work())
    },
  })
})
after(() => app.close())

async function linkTo(email: string) {
  const mail = (await mailsTo(app, email)).findLast(({ kind }) => kind.startsWith('ownership_change'))
  const [, link = ''] = /http:\/\/keywright\.test(\/change-ownership\/\S+)/.exec(mail?.text ?? '') ?? []
  const [salt = '', token = ''] = (link.split('/').at(-1) ?? '').split('.')
  return { link, salt, token }
}

test('no site goes along that the owner names while the next owner agrees to the page without it', async () => {
  await callElsewhere(app)
  const owner = await createOwner(app, `${newUid()}@example.com`)
  const first = await createInstallOf(app, owner, { url: 'https://one.example' })
  const second = await createInstallOf(app, owner, { url: 'https://two.example' })
  const email = `${newUid()}@example.com`
  const path = `/products/${app.seller.product.id}/installs/${first.id}/users/${owner.id}`
  expectOk(await app.call('PUT', `${path}.json`, { body: { email } }))
  const [ofOwner, ofNext] = [await linkTo(owner.email), await linkTo(email)]
  const page = await (await fetch(app.address + ofNext.link)).text()
  const [, shown = ''] = /name="shown" value="([^"]+)"/.exec(page) ?? []
  const named = Promise.withResolvers<Reply>()
  meanwhile = async () => {
    const { salt: token_salt, token: owner_token } = ofOwner
    const body = { token_salt, email: owner.email, owner_token, install_ids: second.id }
    named.resolve(await app.call('PUT', `${path}/ownership-change.json`, { body }))
  }
  const body = new URLSearchParams({ shown })
  const { status } = await fetch(app.address + ofNext.link, { method: 'POST', body })
  const { status: ofNaming } = await named.promise
  assert.deepEqual([status, ofNaming], [200, 404])
  const { install_ids: along } = await app.ctx.db
    .selectFrom('ownership_changes')
    .select('install_ids')
    .where('install_id', '=', Number(first.id))
    .executeTakeFirstOrThrow()
  assert.equal(along, null)
})
