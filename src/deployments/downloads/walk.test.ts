import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { release } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner, expectOk, keysOf } from '../../../test/installs.ts'
import { licenseOn, offerFor } from '../../../test/licenses.ts'
import { signed, type Signer } from '../../../test/security/signing.ts'
import { DAY, toRfc2822 } from '../../lib/time.ts'
import type { Install } from '../../licensing/installs/schema.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('walk')
})
after(() => app.close())

const at = (rest: string) => `/products/${app.seller.product.id}${rest}`

/** An install of version 1.0 that asks for updates as WordPress does, signed with its own keys. */
class Walker {
  #install: Install

  constructor(install: Install) {
    this.#install = install
  }

  /** What it is offered after the version it has: the version, the build and what is downloaded; or what it is told. */
  async asks(premium: '' | '&is_premium=true' = '', newerThan = this.#install.version): Promise<string> {
    const path = `/v1/installs/${this.#install.id}/updates/latest.json?newer_than=${newerThan}${premium}`
    const date = toRfc2822(app.ctx.clock.real())
    const signing = { date, signedType: null }
    const { headers } = signed(keysOf(this.#install) as Signer, { method: 'GET', path }, signing)
    const response = await fetch(app.address + path, { headers: headers as Record<string, string> })
    const json = (await response.json()) as { version: string; url: string; error: { code: string } }
    if (response.status === 404) return 'nothing'
    if (response.status !== 200) return json.error.code
    const zip = await fetch(json.url.replace('http://keywright.test', app.address))
    assert.equal(zip.headers.get('content-type'), 'application/zip')
    assert.ok(zip.headers.get('content-disposition')?.endsWith(`.${json.version}.zip"`))
    return `${json.version} ${/[?&]is_premium=true/.test(json.url) ? 'premium' : 'free'}`
  }

  /** What an update or a choice of its user changes. */
  async becomes(body: { version?: string; is_beta?: boolean }): Promise<void> {
    this.#install = expectOk(await app.call('PUT', at(`/installs/${this.#install.id}.json`), { body })).json
  }
}

async function walkerWith(period: number | null): Promise<Walker> {
  const owner = await createOwner(app)
  const offer = await offerFor(app, 1)
  const body = { email: owner.email, period }
  const license = period === null ? null : await licenseOn(app, offer, { body })
  const key = license ? { license_key: license.secret_key } : {}
  return new Walker(await createInstallOf(app, owner, { version: '1.0', ...key }))
}

test('an install walks 1.0 → 1.1 → 2.0-beta → 2.0, in and out of the beta, with a license, with none and after one', async () => {
  const expired = await walkerWith(1)
  const none = await walkerWith(null)
  const paying = await walkerWith(12)
  app.ctx.clock.advance(32 * DAY)
  const all = [paying, none, expired]
  const ask = (...given: Parameters<Walker['asks']>) => Promise.all(all.map((one) => one.asks(...given)))
  const become = (change: Parameters<Walker['becomes']>[0]) =>
    Promise.all(all.map((one) => one.becomes(change)))
  const builds = (version: string) => [`${version} premium`, `${version} free`, `${version} free`]
  const nothing = ['nothing', 'nothing', 'nothing']
  const asPremium = (version: string) => [`${version} premium`, 'license_error', 'license_expired']

  await release(app, '1.1', { release_mode: 'released', is_incremental: true })
  await release(app, '2.0-beta', { release_mode: 'beta' })
  await release(app, '3.0', { release_mode: 'pending' })
  assert.deepEqual(await ask(), builds('1.1'))
  assert.deepEqual(await ask('&is_premium=true'), asPremium('1.1'))
  await become({ is_beta: true })
  assert.deepEqual(await ask(), builds('1.1'), 'the incremental version is not skipped for the beta')
  await become({ is_beta: false, version: '1.1' })
  assert.deepEqual(await ask(), nothing, 'the beta is for who takes part')
  await become({ is_beta: true })
  assert.deepEqual(await ask(), builds('2.0-beta'))
  assert.deepEqual(await ask('&is_premium=true'), asPremium('2.0-beta'))
  await become({ is_beta: false })
  assert.deepEqual(await ask(), nothing, 'who takes part no more is offered it no more')
  await become({ is_beta: true, version: '2.0-beta' })
  assert.deepEqual(await ask(), nothing)
  await release(app, '2.0')
  assert.deepEqual(await ask(), builds('2.0'))
  await become({ is_beta: false })
  assert.deepEqual(await ask(), builds('2.0'), 'the way out of a beta is the release')
  assert.deepEqual(await ask('', '1.0'), builds('1.1'), 'from 1.0 the way leads through 1.1')
  await become({ version: '2.0' })
  assert.deepEqual(await ask(), nothing)
  assert.deepEqual(await ask('&is_premium=true'), nothing)
})
