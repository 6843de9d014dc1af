import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { logIn, type Login, PASSWORD, setPassword } from '../../../test/logins.ts'
import { mailsTo } from '../../../test/mails.ts'
import { renderMail } from '../../mail/render.ts'
import { SAMPLES } from '../../mail/samples.ts'
import { textsIn } from '../../mail/texts/texts.ts'

let app: TestApp
let owner: Login
before(async () => {
  app = await startTestApp('invitation_mail')
  await setPassword(app)
  owner = await logIn(app)
})
after(() => app.close())

async function invite(email: string): Promise<void> {
  const { status, text } = await owner.call('POST', '/members.json', { body: { email, role: 'support' } })
  assert.equal(status, 201, text)
}

test('an invitation says all that is needed to join and log in, in English and German', async () => {
  const email = 'reads@example.com'
  await invite(email)
  const [mail] = await mailsTo(app, email)
  const { text = '', html = '' } = mail ?? {}
  const values = {
    ...SAMPLES.member_invitation,
    store: 'Store',
    accountId: String(app.seller.developer.id),
    server: 'http://keywright.test',
  }
  const { store, accountId, server } = values
  for (const line of [`Store: ${store}`, `Account id: ${accountId}`, `Server: ${server}`]) {
    assert.match(text, new RegExp(`^${line}$`, 'm'))
  }
  const [, link = ''] = /^(http:\S+\/invitation\/\S+)$/m.exec(text) ?? []
  const [, login = ''] = /POST (http:\S+login\.json)/.exec(text) ?? []
  assert.ok(html.includes(link) && html.includes(login), html)
  const post = (to: string, body: object) =>
    fetch(to.replace(server, app.address), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  assert.equal((await post(login, { email, password: PASSWORD })).status, 401, 'not before it has joined')
  const joined = await post(link, { password: PASSWORD })
  assert.equal(joined.status, 200)
  assert.ok((await joined.text()).includes(`POST ${login}`), 'the page says so too')
  assert.equal((await post(login, { email, password: PASSWORD })).status, 200)
  const german = renderMail(
    textsIn('de'),
    { product: '', logo: null },
    { template: 'member_invitation', name: '', values },
  ).text
  for (const said of [`Shop: ${store}`, `Nummer des Kontos: ${accountId}`, `POST ${login}`]) {
    assert.ok(german.includes(said), german)
  }
})

test('an invitation names no store whose title is not of a few words', async () => {
  let count = 0
  const titled = async (title: string) => {
    const email = `titled${++count}@victim.example`
    await app.write(({ db }) =>
      db.updateTable('stores').set({ title }).where('id', '=', app.seller.store.id).execute(),
    )
    await invite(email)
    return (await mailsTo(app, email))[0]?.text ?? assert.fail(email)
  }
  assert.match(await titled(' Größe  Premium Plugins '), /^Store: Größe Premium Plugins$/m)
  for (const title of ['Visit evil.example', 'Call 0900 now', 'You have won money', 'https://evil.example']) {
    assert.doesNotMatch(await titled(title), /^Store|evil|0900|won/m)
  }
})
