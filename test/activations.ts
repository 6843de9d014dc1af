import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { License } from '../src/licensing/licenses/schema.ts'
import type { Reply, TestApp } from './app.ts'
import { licenseOf, userOf } from './licenses.ts'

type Given = Readonly<Record<string, unknown>>

/** What a client calls itself: 32 characters. */
export const newUid = (): string => randomBytes(16).toString('hex')

export interface Active {
  readonly uid: string
  readonly key: string
  readonly installId: string
  /** Bearer token of the install. */
  readonly token: string
  readonly json: Readonly<Record<string, string>>
}

/** What stands before `/activate.json` and `/deactivate.json`: the contract's path, and the one that clients know too. */
export const KEY_PREFIXES = ['/licenses', ''] as const

/** Clients that know a license's key and nothing else, in the first product of the test's seller. */
export function clientsOf(app: TestApp, prefix: (typeof KEY_PREFIXES)[number] = '/licenses') {
  const product = app.seller.product
  const path = (rest: string) => `/products/${product.id}${rest}`
  const activate = (body: Given): Promise<Reply> =>
    app.call('POST', path(`${prefix}/activate.json`), { token: null, body: { uid: newUid(), ...body } })
  return {
    path,
    activate,
    /** The refusal's status and code. */
    async refusal(reply: Promise<Reply>): Promise<string> {
      const { status, json } = await reply
      return `${status} ${json?.error?.code}`
    },
    /** A license of a user of its own. */
    async ownLicense(
      quota: number | null = 1,
      given: Parameters<typeof licenseOf>[2] = {},
    ): Promise<License> {
      const email = `${newUid()}@example.com`
      await userOf(app, email)
      return licenseOf(app, quota, { ...given, body: { email, ...given.body } })
    },
    async active({ secret_key: key }: License, body: Given = {}): Promise<Active> {
      const uid = typeof body['uid'] === 'string' ? body['uid'] : newUid()
      const reply = await activate({ ...body, uid, license_key: key })
      assert.equal(reply.status, 200, reply.text)
      const { install_id: installId, install_api_token: token } = reply.json
      return { uid, key, installId, token, json: reply.json }
    },
    deactivate: ({ uid, key, installId }: Active, more: Given = {}): Promise<Reply> =>
      app.call('POST', path(`${prefix}/deactivate.json`), {
        token: null,
        body: { uid, license_key: key, install_id: installId, ...more },
      }),
    verify: ({ uid, key, installId }: Active, more: Readonly<Record<string, string>> = {}): Promise<Reply> =>
      app.call(
        'GET',
        path(
          `/installs/${installId}/license.json?${new URLSearchParams({ uid, license_key: key, ...more })}`,
        ),
        { token: null },
      ),
    /** Puts a site on a list of the license, as its seller. */
    async addSite(
      { id }: Pick<License, 'id'>,
      kind: 'allow' | 'deny' | 'local',
      pattern: string,
    ): Promise<void> {
      const reply = await app.call('POST', path(`/licenses/${id}/sites.json`), { body: { kind, pattern } })
      assert.equal(reply.status, 201, reply.text)
    },
    ...rowsOf(app),
  }
}

/** What the database has of licenses and installs. */
const rowsOf = ({ ctx }: TestApp) => ({
  /** Production and local activations, as the license counts and as its installs say. */
  async counts({ id }: Pick<License, 'id'>): Promise<readonly [number, number]> {
    const row = await ctx.db
      .selectFrom('licenses')
      .select(['activated', 'activated_local'])
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow()
    const installs = await ctx.db
      .selectFrom('installs')
      .select('counted_as')
      .where('license_id', '=', Number(id))
      .execute()
    const counted = (as: string) => installs.filter(({ counted_as: one }) => one === as).length
    assert.deepEqual([row.activated, row.activated_local], [counted('production'), counted('local')])
    return [row.activated, row.activated_local]
  },
  async setLicense({ id }: Pick<License, 'id'>, columns: Given): Promise<void> {
    await ctx.database.transaction((db) =>
      db.updateTable('licenses').set(columns).where('id', '=', Number(id)).execute(),
    )
  },
  installRow: (id: string) =>
    ctx.db.selectFrom('installs').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow(),
})

export type Clients = ReturnType<typeof clientsOf>
