import { hash } from 'node:crypto'
import type { ReadContext, TxContext } from '../../context.ts'
import type { Reader } from '../../db/database.ts'
import type { RefusalsTable } from '../../db/tables/refusals.ts'
import type { RefusalKeeper, RefusedCall } from '../hooks.ts'
import { toUtcTime } from '../../lib/time.ts'
import { findByKey } from '../activation/by-key-rows.ts'
import { findChildLicense } from '../licenses/child-license-rows.ts'
import { hashesOfKey } from '../licenses/key.ts'
import { installsOf, licensesOf, productsOf, putRefusals, type NewRefusal } from './queries.ts'

/**
 * Places for refusals that a product has a day: of licenses that are known, and of keys that no license has, which
 * anybody may make up. At about 500 bytes a row they come to 5 MB a product and day, 150 MB in 30 days.
 */
export const SLOTS = { known: 10_000, unknown: 40 } as const

/** Whose a refusal is, as far as anybody knows. */
type Owned = Pick<RefusalsTable, 'product_id' | 'license_id' | 'install_id' | 'user_id' | 'environment'> & {
  readonly uid: string | null
}

/** Finds whose refusals are, and writes them into their places: one statement, whatever else is written. */
export const keepRefusals: RefusalKeeper = {
  async find(ctx, calls) {
    const ownerOf = await ownersOf(ctx, calls)
    const rows = new Map<string, NewRefusal>()
    for (const call of calls) {
      const owned = await ownerOf(call)
      if (!owned) continue
      const row = rowOf(call, owned)
      // Of two of one place in one statement the later one counts, as of two statements.
      rows.set(`${row.product_id} ${row.day} ${row.slot}`, row)
    }
    return async ({ db }: TxContext) => {
      if (rows.size > 0) await putRefusals(db, [...rows.values()])
    }
  },
}

/** Says of a call whose it is; undefined: of no product that there is. */
async function ownersOf(ctx: ReadContext, calls: readonly RefusedCall[]) {
  const ids = (of: (call: RefusedCall) => number | null | undefined) => [
    ...new Set(calls.flatMap((call) => of(call) ?? [])),
  ]
  const installs = await installsOf(
    ctx.db,
    ids(({ installId }) => installId),
  )
  const installOf = ({ installId }: RefusedCall) => (installId === null ? undefined : installs.get(installId))
  const licenseIdOf = (call: RefusedCall) => call.licenseId ?? installOf(call)?.license_id
  const licenses = await licensesOf(ctx.db, ids(licenseIdOf))
  const products = await productsOf(
    ctx.db,
    ids((call) => call.productId || installOf(call)?.product_id),
  )
  return async (call: RefusedCall): Promise<Owned | undefined> => {
    const named = installOf(call)
    const productId = call.productId || named?.product_id || 0
    if (!products.has(productId)) return undefined
    const byId = licenses.get(licenseIdOf(call) ?? 0)
    const found = call.key === null ? byId : await licenseOf(ctx, productId, call.key)
    const of = <T extends { readonly product_id: number }>(one: T | undefined) =>
      one?.product_id === productId ? one : undefined
    return ownedBy(call, productId, { install: of(named), license: of(found) })
  }
}

type Found<R extends (db: Reader, ids: readonly number[]) => Promise<ReadonlyMap<number, unknown>>> =
  Awaited<ReturnType<R>> extends ReadonlyMap<number, infer Row> ? Row : never

interface Whose {
  readonly install: Found<typeof installsOf> | undefined
  readonly license: Found<typeof licensesOf> | undefined
}

const ownedBy = (call: RefusedCall, productId: number, { install, license }: Whose): Owned => ({
  product_id: productId,
  license_id: (license ?? NOBODY).id,
  install_id: (install ?? NOBODY).id,
  user_id: (license ?? install ?? NOBODY).user_id,
  environment: (license ?? install ?? NOBODY).environment,
  uid: call.uid ?? (install ?? NOBODY).uid,
})

const NOBODY = { id: null, user_id: null, environment: 0, uid: null } as const

/** Of a bundle's key the license that it opened in the product, or the bundle's own, which is another product's. */
async function licenseOf({ db, keys }: ReadContext, productId: number, key: string) {
  const found = await findByKey(db, productId, hashesOfKey(key, keys))
  if (!found || found.product_id === productId) return found
  return findChildLicense(db, found.id, productId)
}

function rowOf(call: RefusedCall, owned: Owned): NewRefusal {
  const { occasion, url, version, code, message, count, at } = call
  const time = toUtcTime(at)
  const same = hash(
    'sha256',
    JSON.stringify([occasion, owned.license_id, owned.install_id, owned.uid, url, code]),
  )
  const isKnown = owned.license_id !== null || (call.key === null && owned.install_id !== null)
  const place = Number.parseInt(same.slice(0, 12), 16)
  return {
    ...owned,
    day: time.slice(0, 10),
    slot: isKnown ? place % SLOTS.known : SLOTS.known + (place % SLOTS.unknown),
    same,
    occasion,
    url,
    version,
    code,
    message,
    count,
    created: time,
    last_at: time,
  }
}
