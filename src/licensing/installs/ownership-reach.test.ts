import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, holding, keysOf, newUid } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'
import { callElsewhere, mailsTo } from '../../../test/mails.ts'
import { optInByServer, optInForm } from '../../../test/opt-in.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('ownership_reach')
})
after(() => app.close())

const newAddress = () => `${newUid()}@example.com`
const newLicense = (email: string) => licenseOf(app, 5, { body: { email } })

/** A person with a site of its own, and somebody who knows the key of another license of it. */
async function keyHolder() {
  const owner = await createOwner(app, newAddress())
  const [shared, hidden] = [await newLicense(owner.email), await newLicense(owner.email)]
  const main = await clientsOf(app).active(hidden, { url: 'https://main.example' })
  const { json } = await clientsOf(app).active(shared, { url: 'https://key.example' })
  return { owner, mainId: main.json['install_id'] ?? '', id: json['install_id'], ...holding(app, json) }
}

const page = async (path: string) => (await fetch(app.address + path)).text()

async function mailAbout(email: string) {
  const mail = (await mailsTo(app, email)).findLast(({ kind }) => kind.startsWith('ownership_change'))
  assert.ok(mail)
  const [, path = ''] = /http:\/\/keywright\.test(\/change-ownership\/\S+)/.exec(mail.text) ?? []
  return { ...mail, page: await page(path), path }
}

test('who knows a key takes no site of its owner along to another one, nor learns which there are', async () => {
  const { owner, mainId, id, user, install } = await keyHolder()
  const email = newAddress()
  const other = await newLicense((await createOwner(app, newAddress())).email)
  const foreign = (await clientsOf(app).active(other)).json['install_id'] ?? ''
  const calls = [
    (ids: string) => install('PUT', `/users/${owner.id}.json`, { email, install_ids: ids }),
    (ids: string) => install('PUT', '.json', { user_email: email, install_ids: ids }),
    (ids: string) => install('PUT', '.json', { user_id: String(owner.id), install_ids: ids }),
    (ids: string) => user('PUT', `/installs/${id}.json`, { user_email: email, install_ids: ids }),
  ]
  for (const call of calls) {
    const refused = []
    for (const ids of [mainId, foreign, '987654321']) {
      const { status, json } = await call(ids)
      refused.push(`${status} ${json.error?.code} ${json.error?.message}`)
    }
    assert.equal(new Set(refused).size, 1, refused.join('\n'))
    assert.match(refused[0] ?? '', /^404 /)
  }
  assert.deepEqual(await mailsTo(app, email), [])
})

test('what goes along is counted before it is looked at', async () => {
  const { owner, mainId, install } = await keyHolder()
  const ask = (ids?: string) =>
    install('PUT', `/users/${owner.id}.json`, { email: newAddress(), ...(ids && { install_ids: ids }) })
  for (let times = 1; times <= 5; times++) {
    await callElsewhere(app)
    assert.equal((await ask()).status, 200)
  }
  assert.deepEqual([(await ask(mainId)).status, (await ask('987654321')).status], [429, 429])
})

test('a network goes to another owner as a whole; its pages name each of its sites, and its mails neither site nor person', async () => {
  const owner = await createOwner(app, newAddress())
  const { secret_key: license_key } = await newLicense(owner.email)
  const sites = ['one.example', 'two.example', 'two.example/b'].flatMap((url, n) => [
    [`sites[${n}][uid]`, newUid()],
    [`sites[${n}][url]`, `https://${url}`],
  ])
  const form = optInForm(app, '', { license_key, site_uid: '', ...Object.fromEntries(sites) })
  const { installs } = (await optInByServer(app, form)).json
  const [first, ...others] = installs as { id: string; public_key: string; secret_key: string }[]
  assert.ok(first)
  const email = newAddress()
  const body = { email, install_ids: others.map(({ id }) => id).join(',') }
  const asked = await asInstall(app, keysOf(first))('PUT', `/users/${owner.id}.json`, body)
  assert.equal(asked.status, 200, asked.text)
  const told = [await mailAbout(owner.email), await mailAbout(email)]
  for (const { subject, text, html, page: shown, path } of told) {
    assert.match(shown, /one\.example, two\.example \(2\)[^]*licenses/)
    for (const one of [subject, text, html]) assert.doesNotMatch(one, /(one|two)\.example|@|…/)
    assert.equal((await fetch(app.address + path, { method: 'POST' })).status, 200)
  }
  const at = `/products/${app.seller.product.id}/installs.json?ids=${installs.map(({ id }: { id: string }) => id)}`
  const moved = (await app.call('GET', at)).json.installs as { user_id: string }[]
  assert.equal(moved.length, 3)
  assert.ok(moved.every(({ user_id: to }) => to !== String(owner.id)))
})

const MASKED = /^[^@]…@e….com$/

test('nobody who asks for another owner learns an address: each side reads the other’s masked where it was not typed', async () => {
  const [owner, next] = [await createOwner(app, newAddress()), await createOwner(app, newAddress())]
  const { secret_key: license_key } = await newLicense(next.email)
  const install = await createInstallOf(app, owner, { license_key, url: 'https://mine.example/free-money' })
  const call = asInstall(app, keysOf(install))
  const owners = async () => (await asUser(app, owner)('GET', '/licenses_owners.json')).json.owners
  assert.deepEqual(
    (await owners()).map((one: { id: string; email: string }) => [one.id, MASKED.test(one.email)]),
    [[String(next.id), true]],
  )
  const after_confirm_url = 'https://mine.example/back'
  assert.equal((await call('PUT', '.json', { user_id: String(next.id) })).status, 200)
  for (const [reader, other] of [
    [owner, next],
    [next, owner],
  ] as const) {
    const { subject, text, html, page: shown } = await mailAbout(reader.email)
    for (const one of [subject, text, html, shown]) assert.ok(!one.includes(other.email), one)
    assert.ok(shown.includes('mine.example') && !shown.includes('free-money'), shown)
    for (const one of [subject, text, html]) assert.doesNotMatch(one, /mine\.example|…/)
    assert.equal(subject, 'Change of ownership: First product')
  }
  const body = { email: next.email, after_confirm_url }
  assert.equal((await call('PUT', `/users/${owner.id}.json`, body)).status, 200)
  const [toOwner, toNext] = [await mailAbout(owner.email), await mailAbout(next.email)]
  assert.ok(toOwner.page.includes(next.email), toOwner.page)
  assert.ok(!toNext.page.includes(owner.email), toNext.page)
})
