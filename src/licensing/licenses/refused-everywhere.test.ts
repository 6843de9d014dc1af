import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'
import { connectedInstall, optInByServer, optInForm } from '../../../test/opt-in.ts'
import type { License } from './schema.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('refused_everywhere')
  clients = clientsOf(app)
})
after(() => app.close())

const URL_OF_SITE = 'https://site.example.org'

type Owner = Awaited<ReturnType<typeof createOwner>>
/** Puts a license on a site by its key, for its owner. */
type Entrance = (owner: Owner, license: License) => Promise<Reply>

/** Every way by which a license key comes onto a site. */
const ENTRANCES: Readonly<Record<string, Entrance>> = {
  'an activation': (_, { secret_key }) => clients.activate({ license_key: secret_key, url: URL_OF_SITE }),
  'an activation of an older client': (_, { secret_key }) =>
    app.call('POST', `/plugins/${app.seller.product.id}/activate.json`, {
      token: null,
      body: { uid: newUid(), license_key: secret_key, url: URL_OF_SITE },
    }),
  'an activation on an install by its seller': async (owner, { id, secret_key }) => {
    const install = await connectedInstall(app, String(owner.id), { uid: newUid(), url: URL_OF_SITE })
    return app.call('PUT', clients.path(`/installs/${install.id}/licenses/${id}.json`), {
      body: { license_key: secret_key },
    })
  },
  'an update of an install': async (owner, { secret_key }) => {
    const { id } = await createInstallOf(app, owner, { uid: newUid(), url: URL_OF_SITE })
    const body = { license_key: secret_key }
    return asUser(app, owner)('PUT', `/installs/${id}.json`, body)
  },
  'an install that its user makes': (owner, { secret_key }) => {
    const body = { uid: newUid(), url: URL_OF_SITE, license_key: secret_key }
    return asUser(app, owner)('POST', `/plugins/${app.seller.product.id}/installs.json`, body)
  },
}

interface Refusal {
  readonly status: number
  readonly code: string
  /** What clients look for (`docs/interface.md` 3.4). */
  readonly message: RegExp
  readonly quota?: number
  readonly make: (license: License) => Promise<unknown>
}

const REFUSALS: readonly Refusal[] = [
  {
    status: 400,
    code: 'license_cancelled',
    message: /license was cancelled \(id = \d+\)\.$/,
    make: (license) => clients.setLicense(license, { is_cancelled: true }),
  },
  {
    status: 400,
    code: 'license_expired',
    message: /has expired on 2026-01-31 10:00:00 UTC \(id = \d+\)\.$/,
    make: (license) => clients.setLicense(license, { expiration: '2026-01-31 10:00:00' }),
  },
  {
    status: 400,
    code: 'license_utilized',
    message: /maximum of 1 production site\(s\).*has been reached\.$/,
    make: (license) => clients.active(license, { url: 'https://elsewhere.example.org' }),
  },
  {
    status: 400,
    code: 'license_error',
    message: /does not let it be used on this site\.$/,
    make: (license) => clients.addSite(license, 'deny', 'site.example.org'),
  },
]

async function refused({ make }: Pick<Refusal, 'make'>) {
  const owner = await createOwner(app)
  const license = await licenseOf(app, 1, { body: { email: owner.email } })
  await make(license)
  return { owner, license, before: await clients.counts(license) }
}

for (const refusal of REFUSALS) {
  const { status, code, message } = refusal
  test(`${code} is ${status} by whichever way the key comes, and takes no place`, async () => {
    for (const [how, enter] of Object.entries(ENTRANCES)) {
      const { owner, license, before } = await refused(refusal)
      const { status: was, json, text } = await enter(owner, license)
      assert.deepEqual([was, json.error?.code, json.error?.http], [status, code, status], `${how}: ${text}`)
      assert.match(json.error.message, message, how)
      assert.ok(!text.includes(license.secret_key), how)
      assert.deepEqual(await clients.counts(license), before, how)
    }
    const { license } = await refused(refusal)
    const opted = await optInByServer(app, optInForm(app, '', { license_key: license.secret_key }))
    assert.equal(opted.status, status, opted.text)
    assert.match(opted.json.error, message)
  })
}

test('none of these is a refusal by itself: each way activates a license that is good', async () => {
  for (const [how, enter] of Object.entries(ENTRANCES)) {
    const { owner, license } = await refused({ make: async () => {} })
    const { status, text } = await enter(owner, license)
    assert.equal(status, 200, `${how}: ${text}`)
    assert.deepEqual(await clients.counts(license), [1, 0], how)
  }
})

test('an unknown key is 404 invalid_license_key by whichever way it comes', async () => {
  for (const [how, enter] of Object.entries(ENTRANCES)) {
    const { owner, license } = await refused({ make: async () => {} })
    const { status, json } = await enter(owner, { ...license, secret_key: 'sk_unknown' })
    assert.deepEqual([status, json.error.code], [404, 'invalid_license_key'], how)
    assert.equal(json.error.message, 'Invalid license key.', how)
  }
})

test('each refusal of an activation has its status, its code, the type of that name, and the phrase clients know', async () => {
  const email = `${newUid()}@example.com`
  const owner = await createOwner(app, email)
  const license = await licenseOf(app, 1, { body: { email } })
  const second = await licenseOf(app, 1, { body: { email } })
  const orphan = await licenseOf(app, 1)
  const { uid, installId } = await clients.active(license)
  const key = second.secret_key
  const person = { user_email: email, first_name: 'Eve', last_name: 'Else' }
  const refusals: [object, number, string, string, RegExp][] = [
    [{ license_key: 'sk_no' }, 404, 'invalid_license_key', 'InvalidLicenseKey', /^Invalid license key\.$/],
    [
      { uid, license_key: key },
      400,
      'license_activated',
      'LicenseActivated',
      new RegExp(`install ${installId}$`),
    ],
    [{ uid: 'x'.repeat(31), license_key: key }, 400, 'invalid_uid', 'InvalidUid', /must be 32 characters/],
    [{ uid: 'x'.repeat(33), license_key: key }, 400, 'invalid_uid', 'InvalidUid', /must be 32 characters/],
    [{ install_id: installId, license_key: key }, 404, 'not_found', 'NotFound', /no such install/],
    [{ install_id: 'x', license_key: key }, 400, 'invalid_argument', 'InvalidArgument', /install_id/],
    [{}, 402, 'missing_argument', 'MissingArgument', /license_key is required/],
    [
      { license_key: orphan.secret_key },
      402,
      'missing_argument',
      'MissingArgument',
      /user_email.*first_name.*last_name/,
    ],
    [
      { license_key: orphan.secret_key, ...person },
      400,
      'account_verification_required',
      'AccountVerificationRequired',
      /follow the link that was mailed/,
    ],
  ]
  const before = await clients.counts(second)
  for (const [body, status, code, type, message] of refusals) {
    const { json, ...reply } = await clients.activate(body as Readonly<Record<string, unknown>>)
    const { error } = json
    assert.deepEqual([reply.status, error.http, error.code, error.type], [status, status, code, type])
    assert.match(error.message, message)
    assert.equal(json.path, clients.path('/licenses/activate.json'))
    assert.ok(reply.headers.get('x-api-server'))
    assert.ok(!reply.text.includes(key) && !reply.text.includes(orphan.secret_key))
  }
  assert.deepEqual(await clients.counts(second), before)
  assert.equal(Number(license.user_id), owner.id)
})

test('of several reasons one is told: cancelled before expired, expired before the site', async () => {
  const { license } = await refused({ make: async () => {} })
  const steps: [string, () => Promise<unknown>][] = [
    ['400 license_error', () => clients.addSite(license, 'deny', 'site.example.org')],
    ['400 license_expired', () => clients.setLicense(license, { expiration: '2026-01-01 00:00:00' })],
    ['400 license_cancelled', () => clients.setLicense(license, { is_cancelled: true })],
  ]
  for (const [expected, make] of steps) {
    await make()
    const reply = clients.activate({ license_key: license.secret_key, url: URL_OF_SITE })
    assert.equal(await clients.refusal(reply), expected)
  }
})
