import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { newFileKeyPair, type FileKeyPair } from './license-file.ts'
import { type UtcTime } from '../../lib/time.ts'
import { holdKey, insertKey, listKeys, replaceKey, signWithCurrentKey } from './queries.ts'
import { presentLicenseKey, type LicenseKeyRow, type LicenseKeys } from './schema.ts'

const PLACE = 'license_keys.secret_key'

/** The public keys that files of the product may be signed with, the current one first, then the next. */
export async function getLicenseKeys(ctx: ReadContext, scope: Scope): Promise<LicenseKeys> {
  const rows = await listKeys(ctx.db, scope, ctx.clock.now())
  return { keys: rows.map(presentLicenseKey) }
}

/**
 * The key that signs a file which is good until then; the product's first file makes its first keys. However many
 * do so at once, they get the same.
 */
export async function signingKey(ctx: TxContext, scope: Scope, until: UtcTime): Promise<FileKeyPair> {
  let row = await signWithCurrentKey(ctx.db, scope, until)
  if (!row) {
    await createKeys(ctx, scope)
    row = await signWithCurrentKey(ctx.db, scope, until)
  }
  if (!row || row.secret_key === null) throw new Error('A product that was given a key has one.')
  return { kid: row.kid, publicKey: row.public_key, secretKey: ctx.keys.open(row.secret_key, PLACE) }
}

/**
 * The next key signs from now on, and another one is made known to follow it. The one before loses its secret
 * half and stays listed until the last file that it signed has run out; one that signed none is gone. However
 * many rotate at once, they take turns. A product without keys gets its first two.
 */
export async function rotateLicenseKeys(ctx: TxContext, scope: Scope): Promise<LicenseKeys> {
  const before = await holdKey(ctx.db, scope, 'current')
  const next = await holdKey(ctx.db, scope, 'next')
  if (before && next) {
    await replaceKey(ctx.db, scope, 'next', newPair(ctx))
    const { kid, public_key, secret_key, created } = next
    await replaceKey(ctx.db, scope, 'current', { kid, public_key, secret_key, created, files_until: null })
    if (before.files_until !== null) await retire(ctx, before)
  } else await createKeys(ctx, scope)
  return getLicenseKeys(ctx, scope)
}

const retire = (ctx: TxContext, { id: _, ...key }: LicenseKeyRow) =>
  insertKey(ctx.db, {
    ...key,
    state: 'retired',
    secret_key: null,
    retired_at: ctx.clock.now(),
  })

async function createKeys(ctx: TxContext, { productId }: Scope): Promise<void> {
  for (const state of ['current', 'next'] as const) {
    await insertKey(ctx.db, { product_id: productId, state, retired_at: null, ...newPair(ctx) })
  }
}

function newPair(ctx: TxContext) {
  const { kid, publicKey, secretKey } = newFileKeyPair()
  return {
    kid,
    public_key: publicKey,
    secret_key: ctx.keys.seal(secretKey, PLACE),
    files_until: null,
    created: ctx.clock.now(),
  }
}
