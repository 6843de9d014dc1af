// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { DATA_CLASSES, hiddenFromRole, type DataClassName } from '../../src/access/data-classes.ts'
import { isAllowed } from '../../src/http/roles.ts'
import { systemScope } from '../../src/access/scope.ts'
import { deliverEvents } from '../../src/events/delivery/deliver-events-job.ts'
import { runDue } from '../../src/jobs/worker.ts'
import { ROLES, type Role } from '../../src/access/roles.ts'
import { recordEvents } from '../../src/events/log/record.ts'
import { startReceiver } from '../webhooks.ts'
import { inParallel, jsonBody, type Answer, type Call } from './client.ts'
import { newMember } from './members.ts'
import { newIds } from './new-ids.ts'
import { GUARDED, MOUNTS, requestTo } from './requests.ts'
import { issuedIn } from './secrets.ts'
import { startWorld, type World } from './world.ts'

let world: World
const tokens = new Map<Role, string>()
before(async () => {
  world = await startWorld('roles_data', { config: { mode: 'development' } })
  for (const role of ROLES) tokens.set(role, (await newMember(world, role)).access)
  await plantEvents()
  await plantAmounts()
})
after(() => world.close())

/** Every amount of a customer, as rows and replies write it. */
const MINOR = 7_331_977
const AMOUNT = '73319.77'

const as = (role: Role, call: Call): Promise<Answer> => {
  const authorization = `FSA ${world.seller.developer.id}:${tokens.get(role)}`
  return world.send({ ...call, headers: { ...call.headers, authorization } })
}

async function plantAmounts(): Promise<void> {
  const amounts = {
    payments: ['gross', 'tax', 'gateway_fee'],
    subscriptions: [
      'total_gross',
      'amount_per_cycle',
      'initial_amount',
      'renewal_amount',
      'outstanding_balance',
    ],
    carts: ['price', 'gross'],
    installs: ['gross'],
    product_users: ['gross'],
    products: [
      'earnings',
      'total_purchases',
      'total_renewals',
      'total_subscriptions',
      'total_failed_purchases',
    ],
  } as const
  await transaction(world.ctx, async ({ db }) => {
    for (const [table, names] of Object.entries(amounts)) {
      const columns = Object.fromEntries(names.map((name) => [name, MINOR]))
      await db
        .updateTable(table as 'payments')
        .set(columns)
        .execute()
    }
  })
}

/** Events with all kinds of objects, and an amount in the data of one. */
async function plantEvents(): Promise<void> {
  const { seller, ids, people } = world
  const scope = systemScope({ developerId: seller.developer.id, productId: seller.product.id })
  const { payment_id, license_id, subscription_id, cart_id } = ids.own
  const userId = people.ada.id
  await transaction(world.ctx, (tx) =>
    recordEvents(tx, scope, [
      { type: 'license.updated', environment: 0, userId, data: { license_id } },
      { type: 'payment.created', environment: 0, userId, data: { payment_id, license_id } },
      { type: 'subscription.created', environment: 0, userId, data: { subscription_id } },
      {
        type: 'cart.updated',
        environment: 0,
        cartId: Number(cart_id),
        data: { cart_id, from: { price: 1 }, to: { price: 73319.77 } },
      },
    ]),
  )
}

/** What a text has of what not every role may see. */
function seenIn(text: string): DataClassName[] {
  const { own, neighbour } = world.ids
  const secrets: Readonly<Record<DataClassName, readonly (string | undefined)[]>> = {
    'license keys': [own['license_key'], neighbour['license_key']],
    sales: [AMOUNT, `:${MINOR}`],
    'e-mail addresses': [own['email'], neighbour['email']],
  }
  const names = Object.keys(secrets) as DataClassName[]
  return names.filter((name) => secrets[name].some((value) => text.includes(value ?? 'not planted')))
}

/** A secret key or a token, also one that the reply is the first to have. */
const KEY = /(?<![\w-])(?:sk|kw|kwi)_[\w-]{29,}/g

/** Secret keys and tokens, with which anybody could do more than a role. */
const keysOf = () => {
  const { seller, people, ids } = world
  return [
    ...[seller.developer, seller.store, seller.product, seller.other].map(({ secretKey }) => secretKey),
    ...[people.ada, people.bea, people.adaInOther].map(({ keys }) => keys.secretKey),
    seller.product.token,
    ids.own['install_secret_key'] ?? '',
    ids.own['install_token'] ?? '',
  ]
}

/** Every operation of an account and of its products; what removes something comes last. */
const mounts = () =>
  MOUNTS.filter(
    ({ kind, served, op }) =>
      served &&
      (kind === 'developer' || kind === 'account') &&
      op.caller !== 'session' &&
      op.caller !== 'signature' &&
      !GUARDED.has(op.id),
  ).toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))

describe('S03: rights are about data', () => {
  test('who may not see sales does not list users by whether they have paid', async () => {
    for (const role of ROLES) {
      const isHidden = hiddenFromRole(role).includes('sales')
      for (const filter of ['paid', 'paying', 'never_paid', 'beta', 'all']) {
        const path = `/v1/developers/${world.seller.developer.id}/products/${world.seller.product.id}/users.json`
        const { status, text } = await as(role, { method: 'GET', path: `${path}?filter=${filter}` })
        const isRefused = isHidden && /pa(id|ying)$/.test(filter)
        assert.equal(status, isRefused ? 401 : 200, `${role} ${filter} ${text}`)
        assert.equal(text.includes('role_not_allowed'), isRefused)
      }
    }
  })

  test('nor does it read of licenses how their subscriptions are paid', async () => {
    const path = `/v1/developers/${world.seller.developer.id}/products/${world.seller.product.id}/licenses.json`
    for (const role of ROLES) {
      const { json } = await as(role, { method: 'GET', path: `${path}?enriched=true` })
      const isHidden = hiddenFromRole(role).includes('sales')
      for (const name of ['subscription_failed_payments', 'subscription_gateway'])
        assert.equal(name in json.licenses[0], !isHidden, `${role} ${name}`)
    }
  })

  test('no operation answers a role what it may not see, and no key with which it could do more', async () => {
    const seen = new Map(ROLES.map((role) => [role, new Set<DataClassName>()]))
    const handed = new Map<string, string>()
    let count = 0
    // Limited roles first, and of each reads before writes: what an admin removes is there for all of them.
    for (const role of ROLES.toReversed()) {
      const hidden = hiddenFromRole(role)
      for (const mount of mounts().filter(({ op }) => isAllowed({ role }, op))) {
        const ids =
          mount.op.kind === 'read'
            ? world.ids.own
            : await newIds(world, mount, `${role}${++count}@example.com`)
        const { text } = await as(role, requestTo(mount, ids))
        const at = `${role} ${mount.method} ${mount.path} ${text.slice(0, 2_000)}`
        const names = seenIn(text)
        for (const name of names) seen.get(role)?.add(name)
        assert.ok(!names.some((name) => hidden.includes(name)), `${names}: ${at}`)
        assert.ok(role === 'admin' || !keysOf().some((key) => text.includes(key)), at)
        const made = role === 'admin' ? [] : [...text.matchAll(KEY)]
        made.forEach(([key]) => handed.set(key, at))
      }
    }
    const ofLicenses = (await issuedIn(world)).filter(({ what }) => what === 'license key')
    for (const { value } of ofLicenses) handed.delete(value)
    assert.deepEqual([...handed.values()], [], 'keys that were made for a role')
    for (const role of ROLES) {
      const shown = (Object.keys(DATA_CLASSES) as DataClassName[]).filter(
        (name) => !hiddenFromRole(role).includes(name),
      )
      assert.deepEqual([...(seen.get(role) ?? [])].toSorted(), shown.toSorted(), `${role} sees what it may`)
    }
  })

  test('nor does the stream', async () => {
    const { address, seller } = world
    for (const role of ROLES) {
      const closing = new AbortController()
      const path = `/v1/developers/${seller.developer.id}/products/${seller.product.id}/events/stream`
      const response = await fetch(`${address}${path}`, {
        headers: { authorization: `FSA ${seller.developer.id}:${tokens.get(role)}`, 'last-event-id': '0' },
        signal: closing.signal,
      })
      await runDue(world.ctx, [deliverEvents])
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        if (text.includes('event: cart.updated')) break
      }
      closing.abort()
      const hidden = hiddenFromRole(role)
      assert.ok(text.includes('event: payment.created'), role)
      assert.deepEqual(
        seenIn(text).filter((name) => hidden.includes(name)),
        [],
        role,
      )
      if (role === 'admin') assert.equal(seenIn(text).length, 3)
    }
  })

  test('who has a portal link is its customer: a role that is not an admin has it mailed only', async () => {
    const { seller, people } = world
    const path = `/v1/developers/${seller.developer.id}/products/${seller.product.id}/portal/login.json`
    const ask = (role: Role, mail: object) =>
      as(role, { method: 'POST', path, ...jsonBody({ id: String(people.bea.id), ...mail }) })
    const make = (role: Role) => ask(role, { send_email: true })
    for (const mail of [{}, { send_email: false }]) {
      const { status, json } = await ask('support', mail)
      assert.equal(status, 400)
      assert.match(JSON.stringify(json), /send_email/)
    }
    const [byAdmin, bySupport] = [await make('admin'), await make('support')]
    assert.deepEqual(Object.keys(byAdmin.json).toSorted(), ['link', 'token'])
    assert.equal(bySupport.status, 201, bySupport.text)
    assert.deepEqual(bySupport.json, {})
  })
})

describe('S03: a listener is sent what the role may see that has set its address', () => {
  const base = () =>
    `/v1/developers/${world.seller.developer.id}/products/${world.seller.product.id}/webhooks`

  test('when it adds one, moves its own, and sends events again; one of an admin it neither moves nor gives a secret', async () => {
    const [own, admins, moved] = [await startReceiver(), await startReceiver(), await startReceiver()]
    const write = async (role: Role, method: string, path: string, body: object) => {
      const answer = await as(role, { method, path: base() + path, ...jsonBody(body) })
      return answer
    }
    const types = 'license.updated,payment.created,subscription.created,cart.updated'
    const add = async (role: Role, url: string) => (await write(role, 'POST', '.json', { url, types })).json
    const ofDeveloper = await add('developer', own.url)
    const ofAdmin = await add('admin', admins.url)
    assert.deepEqual([ofDeveloper.hides, ofAdmin.hides], [['license keys', 'sales'], []])
    // Whoever it is sent to may answer what was sent.
    for (const receiver of [own, admins, moved]) receiver.answer = (response, { body }) => response.end(body)
    const resend = async (id: string) => {
      await write('developer', 'POST', `/${id}/resend.json`, { state: 'canceled' })
      await write('developer', 'POST', `/${id}/resend.json`, { state: 'processed' })
      await runDue(world.ctx, [deliverEvents])
    }
    await resend(ofDeveloper.id)
    await resend(ofAdmin.id)
    const text = (one: typeof own) => one.received.map(({ body }) => body).join('\n')
    assert.ok(own.received.length >= 4 && admins.received.length >= 4)
    assert.deepEqual(seenIn(text(own)), ['e-mail addresses'])
    assert.deepEqual(seenIn(text(admins)).length, 3)
    const answersTo = async (role: Role, id: string) =>
      (await as(role, { method: 'GET', path: `${base()}/${id}/attempts.json` })).json.attempts.map(
        ({ answer }: { answer: string | null }) => answer,
      )
    assert.ok((await answersTo('developer', ofDeveloper.id)).every((answer: unknown) => answer !== null))
    assert.ok((await answersTo('developer', ofAdmin.id)).every((answer: unknown) => answer === null))
    assert.ok((await answersTo('accountant', ofDeveloper.id)).every((answer: unknown) => answer !== null))
    assert.ok((await answersTo('admin', ofAdmin.id)).every((answer: unknown) => answer !== null))

    const refused = [
      await write('developer', 'POST', `/${ofAdmin.id}/secret.json`, { overlap_hours: 1 }),
      await write('developer', 'PUT', `/${ofAdmin.id}.json`, { url: moved.url }),
    ]
    for (const { status, json } of refused) {
      assert.deepEqual([status, json.error.code], [401, 'role_not_allowed'])
    }
    const same = await write('developer', 'PUT', `/${ofAdmin.id}.json`, { url: admins.url, is_active: true })
    assert.deepEqual(same.json.hides, [], 'who names the address that it has, does not set it')
    world.ctx.clock.advance(1_000)
    const changed = await write('developer', 'PUT', `/${ofDeveloper.id}.json`, { url: moved.url })
    assert.deepEqual(changed.json.hides, ['license keys', 'sales'], 'its own is moved')
    await resend(ofDeveloper.id)
    assert.ok(moved.received.length >= 4)
    assert.deepEqual(seenIn(text(moved)), ['e-mail addresses'])
    const answers = await answersTo('developer', ofDeveloper.id)
    assert.ok(answers.some((answer: unknown) => answer !== null))
    assert.ok(answers.every((answer: string | null) => answer === null || seenIn(answer).length <= 1))
    const rotatedNow = await write('developer', 'POST', `/${ofDeveloper.id}/secret.json`, {
      overlap_hours: 0,
    })
    assert.equal(rotatedNow.status, 200)
    const taken = await write('admin', 'PUT', `/${ofDeveloper.id}.json`, { url: admins.url })
    assert.deepEqual(taken.json.hides, [])
    const back = await write('developer', 'PUT', `/${ofDeveloper.id}.json`, { url: own.url })
    assert.deepEqual([back.status, back.json.error.code], [401, 'role_not_allowed'])
    await inParallel([own, admins, moved], (receiver) => receiver.close())
  })
})
