import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { transaction } from '../src/context.ts'
import { systemScope } from '../src/access/scope.ts'
import { issueLicense } from '../src/licensing/licenses/service.ts'
import { createUser } from '../src/people/users/create.ts'
import { testContext } from './app.ts'
import { createOffer } from './catalogue.ts'
import { createSeller, type Seller } from './factories.ts'
import { serve } from './serve.ts'

const PARALLEL = 200
const QUOTA = 5

interface Sent {
  readonly uid: string
  readonly license_key: string
  readonly url: string
  readonly install_id?: string | undefined
}

interface Answered extends Sent {
  readonly status: number
  readonly code: string | undefined
}

const newUid = (): string => randomBytes(16).toString('hex')

/** Two processes of the server as it comes, with its rates, over one database. */
async function openRace() {
  const opened = await testContext('quota_race', { at: Date.now() })
  const { ctx } = opened
  const seller = await transaction(ctx, (tx) => createSeller(tx))
  const scope = scopeOf(seller)
  const owner = await transaction(ctx, async (tx) => {
    const user = await createUser(tx, scope, { ...PERSON, email: 'racer@example.com' }, null)
    const { planId } = await createOffer(tx, scope, 'race')
    return { user_id: Number(user.id), plan_id: planId }
  })
  const servers = await Promise.all([serve(opened.databaseOptions), serve(opened.databaseOptions)])
  return {
    ctx,
    addresses: servers.map(({ address }) => `${address}/v1/products/${seller.product.id}/licenses`),
    newLicense: () =>
      transaction(ctx, async (tx) => {
        const row = await issueLicense(tx, scope, { ...TERMS, ...owner, quota: QUOTA })
        return { id: row.id, key: tx.keys.open(row.secret_key, 'licenses.secret_key') }
      }),
    async close() {
      for (const server of servers) await server.stop()
      await opened.drop()
    },
  }
}
type Race = Awaited<ReturnType<typeof openRace>>

/** The requests take turns between the processes. */
async function post({ addresses }: Race, index: number, action: string, body: Sent): Promise<Answered> {
  const response = await fetch(`${addresses[index % addresses.length]}/${action}.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const json = (await response.json()) as { install_id?: string; error?: { code: string } }
  return { ...body, status: response.status, code: json.error?.code, install_id: json.install_id }
}

const attempt = (race: Race, index: number, key: string): Promise<Answered> => {
  const uid = newUid()
  return post(race, index, 'activate', { uid, license_key: key, url: `https://${uid}.com/` })
}

/** The counters of a license beside what its installs count as. */
async function countsOf({ ctx: { db } }: Race, id: number) {
  const license = await db
    .selectFrom('licenses')
    .select(['activated', 'activated_local'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const installs = await db.selectFrom('installs').select('counted_as').where('license_id', '=', id).execute()
  const counted = (as: string) => installs.filter(({ counted_as: one }) => one === as).length
  return {
    counters: [license.activated, license.activated_local],
    rows: [counted('production'), counted('local')],
    installs: installs.length,
  }
}

/** 200 activations at once against quota 5. */
async function race200(race: Race): Promise<void> {
  const { id, key } = await race.newLicense()
  const answers = await all(PARALLEL, (index) => attempt(race, index, key))
  const lost = answers.filter((answer) => !isOk(answer))
  assert.equal(lost.length, PARALLEL - QUOTA)
  assert.deepEqual([...new Set(lost.map(told))], ['400 license_utilized'])
  assert.deepEqual(await countsOf(race, id), { counters: [QUOTA, 0], rows: [QUOTA, 0], installs: QUOTA })
}

/** Three of five leave, each told twice, while twenty come. */
async function comeAndGo(race: Race): Promise<void> {
  const { id, key } = await race.newLicense()
  let active = (await all(QUOTA, (index) => attempt(race, index, key))).filter(isOk)
  assert.equal(active.length, QUOTA)
  for (let step = 0; step < 3; step++) {
    const leaving = active.slice(0, 3).flatMap((one) => [one, one])
    const [left, coming] = await Promise.all([
      Promise.all(leaving.map((one, index) => post(race, index, 'deactivate', one))),
      all(20, (index) => attempt(race, index, key)),
    ])
    const others = [...left, ...coming].filter((answer) => !isOk(answer)).map(told)
    assert.deepEqual(
      [...new Set(others)].filter((one) => !EXPECTED.has(one)),
      [],
    )
    active = [...active.slice(3), ...coming.filter(isOk)]
    assert.ok(active.length <= QUOTA, `${active.length} of ${QUOTA}`)
    const { counters, rows, installs } = await countsOf(race, id)
    assert.deepEqual([counters, installs], [rows, active.length])
  }
}

/** `docs/security-checks.md` R01: activations of one license from two processes. */
export function raceForQuota({ rounds }: { readonly rounds: number }): void {
  let race: Race
  before(async () => {
    race = await openRace()
  })
  after(() => race.close())

  test(`of ${PARALLEL} activations at once against quota ${QUOTA} exactly ${QUOTA} win, ${rounds} times over`, async () => {
    for (let round = 0; round < rounds; round++) await race200(race)
  })

  test(`deactivations among them leave counters equal to rows, ${rounds} times over`, async () => {
    for (let round = 0; round < rounds; round++) await comeAndGo(race)
  })
}

const told = ({ status, code }: Answered) => `${status} ${code}`

/** What an answer may be while some come and others leave: no place is free, or it was left already. */
const EXPECTED = new Set(['400 license_utilized', '400 license_error'])

const isOk = ({ status }: Answered) => status === 200

const all = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const scopeOf = ({ developer, product }: Seller) =>
  systemScope({ developerId: developer.id, productId: product.id })

const PERSON = {
  first: 'Ray',
  last: 'Racer',
  is_verified: true,
  send_verification_email: false,
  is_migration: true,
  source: 'freemius',
} as const

const TERMS = {
  pricing_id: null,
  expiration: null,
  is_free_localhost: true,
  is_block_features: true,
  is_whitelabeled: false,
} as const
