import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall } from '../../../test/callers.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { createOwner, keysOf } from '../../../test/installs.ts'
import { sell } from '../../../test/sales.ts'
import { mailsTo } from '../../../test/mails.ts'
import { codeOf, trialShop, type TrialShop } from '../../../test/trials.ts'
import { DAY } from '../../lib/time.ts'

let app: TestApp
let shop: TrialShop
before(async () => {
  app = await startTestApp('trial_typed_address')
  shop = await trialShop(app)
})
after(() => app.close())

type Kind = 'free' | 'paid'

/** Opens a checkout for a trial: for an address that is typed, or with the token of its owner. */
const opened = (who: object, kind: Kind) =>
  shop.open({ country_code: 'US', cart: false, ...who, plan_id: shop[kind].planId, trial: kind })

async function begun(who: object, kind: Kind) {
  const reply = await opened(who, kind)
  assert.ok(reply.json.id, reply.text)
  return shop.pay(reply.json.id, kind === 'paid' ? 'test_succeeds' : undefined)
}

const trialsOf = (email: string) =>
  app.ctx.db
    .selectFrom('trials')
    .innerJoin('users', 'users.id', 'trials.user_id')
    .innerJoin('licenses', 'licenses.id', 'trials.license_id')
    .select(['trials.id', 'trials.canceled_at', 'trials.license_id', 'licenses.is_cancelled'])
    .where('users.email', '=', email)
    .orderBy('trials.id')
    .execute()

/** The keys that were mailed to an address. */
const keysMailed = async (email: string) =>
  (await mailsTo(app, email))
    .map(({ text }) => /sk_[\w~-]+/.exec(text)?.[0])
    .filter((key) => key !== undefined)

test('a free trial that a stranger began for an address uses nothing up: it begins again, with the same license', async () => {
  const { user_email } = shop.someone()
  const stranger = await begun({ user_email }, 'free')
  assert.equal(stranger.json.state, 'paid', stranger.text)
  app.ctx.clock.advance(2 * DAY)
  const owner = await begun({ user_email }, 'free')
  assert.equal(owner.json.state, 'paid', owner.text)
  const face = ({ json }: typeof owner) => ({
    ...json,
    user: { ...json.user, resend_email_endpoint: 'of its checkout' },
    trial: { ...json.trial, created: 'at its time', trial_ends_at: 'days later' },
  })
  assert.deepEqual(face(owner), face(stranger), 'and says nothing of the first')
  const [trial, ...more] = await trialsOf(user_email)
  assert.deepEqual(more, [])
  const [first, second, ...others] = await keysMailed(user_email)
  assert.ok(first !== undefined && first === second && others.length === 0)
  const license = await shop.get(`/licenses/${trial?.license_id}.json`)
  assert.deepEqual([license.is_cancelled, license.expiration], [false, shop.inDays(7)], 'its days count anew')
  assert.equal(owner.json.trial.trial_ends_at, license.expiration)
})

test('an hour of beginning at once makes one trial and one license', async () => {
  const { user_email } = shop.someone()
  await begun({ user_email }, 'free')
  const sessions = await Promise.all(Array.from({ length: 6 }, () => opened({ user_email }, 'free')))
  await Promise.all(sessions.map(({ json }) => shop.pay(json.id)))
  const trials = await trialsOf(user_email)
  assert.deepEqual(
    trials.map(({ is_cancelled }) => is_cancelled),
    [false],
  )
})

test('once its license was put on a site, or its owner began it, the trial is used up', async () => {
  const { user_email } = shop.someone()
  await begun({ user_email }, 'free')
  const [key] = await keysMailed(user_email)
  const [trial] = await trialsOf(user_email)
  const license = await shop.get(`/licenses/${trial?.license_id}.json`)
  assert.equal(license.secret_key, key)
  const active = await clientsOf(app).active(license)
  assert.deepEqual(codeOf(await begun({ user_email }, 'free')), [400, 'trial_not_available'])
  assert.deepEqual(codeOf(await opened(await proofOf(app, user_email), 'free')), [400, 'trial_not_available'])
  await clientsOf(app).deactivate(active)
  await app.call('DELETE', `${shop.base}/installs/${active.installId}.json`)
  assert.deepEqual(codeOf(await begun({ user_email }, 'free')), [400, 'trial_not_available'])

  const other = shop.someone().user_email
  await begun({ user_email: other }, 'free')
  assert.equal((await begun(await proofOf(app, other), 'free')).json.state, 'paid')
  assert.deepEqual(codeOf(await begun({ user_email: other }, 'free')), [400, 'trial_not_available'])
})

test('a trial with a method of payment that a stranger began ends with its subscription when the owner begins one', async () => {
  const { user_email } = shop.someone()
  const stranger = await begun({ user_email }, 'paid')
  const { purchase } = stranger.json
  assert.deepEqual(
    codeOf(await begun({ user_email }, 'free')),
    [400, 'trial_not_available'],
    'not for a typed one',
  )
  const owner = await begun(await proofOf(app, user_email), 'paid')
  assert.equal(owner.json.state, 'paid', owner.text)
  assert.notEqual((await shop.get(`/subscriptions/${purchase.id}.json`)).canceled_at, null)
  assert.equal((await shop.get(`/subscriptions/${owner.json.purchase.id}.json`)).canceled_at, null)
  assert.deepEqual(
    (await trialsOf(user_email)).map((one) => [one.canceled_at === null, one.is_cancelled]),
    [
      [false, true],
      [true, false],
    ],
  )
})

test('of an activation and another beginning at once one counts: no key is cancelled on a site', async () => {
  for (let n = 0; n < 5; n++) {
    const { user_email } = shop.someone()
    await begun({ user_email }, 'free')
    const [trial] = await trialsOf(user_email)
    const license = await shop.get(`/licenses/${trial?.license_id}.json`)
    const { json: session } = await opened({ user_email }, 'paid')
    const [activation, paid] = await Promise.all([
      clientsOf(app).activate(license),
      shop.pay(session.id, 'test_succeeds'),
    ])
    const isOn = activation.status < 300
    assert.equal(paid.json.state === 'paid', !isOn, `${activation.text} ${paid.text}`)
    assert.equal((await shop.get(`/licenses/${license.id}.json`)).is_cancelled, !isOn)
  }
})

test('a trial that the holder of a license key began on a site does not count against the owner at the checkout', async () => {
  const owner = await createOwner(app)
  const { license } = await sell(app, { owner })
  const active = await clientsOf(app).active(license)
  await clientsOf(app).deactivate(active)
  const site = asInstall(app, keysOf(await shop.get(`/installs/${active.installId}.json`)))
  const tried = await site('POST', `/plans/${shop.free.planId}/trials.json`)
  assert.ok(tried.status < 300, tried.text)
  const { json } = await begun(await proofOf(app, owner.email), 'paid')
  assert.equal(json.state, 'paid', JSON.stringify(json))
})
