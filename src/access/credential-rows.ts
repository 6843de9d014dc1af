import type { Reader, Writer } from '../db/database.ts'
import { familyOf } from '../db/family.ts'
import { prepared } from '../db/prepared.ts'
import { unscoped } from '../db/scoped.ts'
import type { UtcTime } from '../lib/time.ts'
import type { Scope } from './scope.ts'

const BY_TOKEN = 'the hash of the token says who calls'
const BY_KEYS = 'whose secret key signs is only known by its keys'
const IN_FAMILY = 'a product that the keys which signed open'
const OF_INSTALL = 'of an install that calls, or that the caller has found'

/** What a bearer token of a product or an account opens; a revoked or expired token opens nothing. */
export const findApiToken = prepared((db, { hash, now }: { hash: string; now: UtcTime }) =>
  unscoped(db, BY_TOKEN)
    .selectFrom('api_tokens')
    .select(['id', 'developer_id', 'product_id', 'product_ids', 'rights'])
    .where('token_hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', now)])),
)

/** The bearer token with this hash, also when it is over. */
export const wasApiToken = prepared((db, { hash }: { hash: string }) =>
  unscoped(db, BY_TOKEN).selectFrom('api_tokens').select('id').where('token_hash', '=', hash),
)

/** The access token with this hash, also when it is over. */
export const wasAccessToken = prepared((db, { hash }: { hash: string }) =>
  unscoped(db, BY_TOKEN).selectFrom('access_tokens').select('id').where('token_hash', '=', hash),
)

/** A developer's or a user's access token that has not expired, with the role of the member who took it. */
export const findAccessToken = prepared((db, { hash, now }: { hash: string; now: UtcTime }) =>
  unscoped(db, BY_TOKEN)
    .selectFrom('access_tokens')
    .leftJoin('members', (join) =>
      join
        .onRef('members.person_id', '=', 'access_tokens.person_id')
        .onRef('members.developer_id', '=', 'access_tokens.developer_id')
        .on('members.accepted_at', 'is not', null),
    )
    .select([
      'access_tokens.id',
      'access_tokens.developer_id',
      'access_tokens.user_id',
      'access_tokens.person_id',
      'access_tokens.product_id',
      'access_tokens.is_portal',
      'members.role',
      'members.can_refund',
    ])
    .where('access_tokens.token_hash', '=', hash)
    .where('access_tokens.expires_at', '>', now),
)

/** A session that has not ended, with its person's role in the team of `developerId`, if it accepted it. */
export const findSession = prepared(
  (db, { hash, developerId, now }: { hash: string; developerId: number; now: number }) =>
    unscoped(db, BY_TOKEN)
      .selectFrom('sessions')
      .leftJoin('members', (join) =>
        join
          .onRef('members.person_id', '=', 'sessions.person_id')
          .on('members.developer_id', '=', developerId)
          .on('members.accepted_at', 'is not', null),
      )
      .select(['sessions.id', 'sessions.person_id', 'members.role', 'members.can_refund'])
      .where('sessions.token_hash', '=', hash)
      .where('sessions.expires_at', '>', now),
)

export const findDeveloperKeys = prepared((db, { id }: { id: number }) =>
  unscoped(db, BY_KEYS)
    .selectFrom('developers')
    .select(['id', 'id as developer_id', 'public_key', 'secret_key'])
    .where('id', '=', id),
)

export const findStoreKeys = prepared((db, { id }: { id: number }) =>
  unscoped(db, BY_KEYS)
    .selectFrom('stores')
    .select(['id', 'developer_id', 'public_key', 'secret_key'])
    .where('id', '=', id),
)

export const findProductKeys = prepared((db, { id }: { id: number }) =>
  unscoped(db, BY_KEYS)
    .selectFrom('products')
    .select(['id', 'developer_id', 'public_key', 'secret_key'])
    .where('id', '=', id),
)

/**
 * A pair of a user by its public key: it opens only its product (`docs/decisions.md` 3.1), as far as it reaches. The
 * one that the seller is shown has no id; one that is to be replaced opens nothing.
 */
export const findUserKeys = prepared((db, { id, publicKey }: { id: number; publicKey: string }) =>
  unscoped(db, BY_KEYS)
    .selectFrom('user_keys')
    .innerJoin('products', 'products.id', 'user_keys.product_id')
    .select(({ ref }) => [
      'user_keys.user_id as id',
      'user_keys.product_id',
      'products.developer_id',
      'user_keys.public_key',
      'user_keys.secret_key',
      'user_keys.reach',
      'user_keys.proof_product_id',
      ref('user_keys.id').$castTo<number | null>().as('user_key_id'),
    ])
    .where('user_keys.public_key', '=', publicKey)
    .where('user_keys.user_id', '=', id)
    .unionAll(
      unscoped(db, BY_KEYS)
        .selectFrom('product_users')
        .innerJoin('products', 'products.id', 'product_users.product_id')
        .select(({ lit, ref }) => [
          'product_users.user_id as id',
          'product_users.product_id',
          'products.developer_id',
          'product_users.public_key',
          'product_users.secret_key',
          'product_users.reach',
          ref('product_users.product_id').$castTo<number | null>().as('proof_product_id'),
          lit(null).$castTo<number | null>().as('user_key_id'),
        ])
        .where('product_users.public_key', '=', publicKey)
        .where('product_users.user_id', '=', id)
        .where('product_users.reach', '=', 'whole'),
    ),
)

/** The keys of an install, with its owner and what most installs ask for: the highest version of its product. */
export const findInstallKeys = prepared((db, { id }: { id: number }) =>
  installsWithOwner(db).select(['installs.public_key', 'installs.secret_key']).where('installs.id', '=', id),
)

/** The install that a token was handed out to, and how many newer tokens it has. */
export const findInstallToken = prepared((db, { hash }: { hash: string }) =>
  installsWithOwner(db)
    .innerJoin('install_tokens', 'install_tokens.install_id', 'installs.id')
    .select(({ selectFrom }) => [
      'install_tokens.id as token_id',
      'installs.public_key',
      selectFrom('install_tokens as later')
        .select(({ fn }) => fn.countAll<number>().as('newer'))
        .whereRef('later.install_id', '=', 'installs.id')
        .whereRef('later.id', '>', 'install_tokens.id')
        .$asScalar()
        .$notNull()
        .as('newer'),
    ])
    .where('install_tokens.token_hash', '=', hash),
)

const installsWithOwner = (db: Reader) =>
  unscoped(db, BY_KEYS)
    .selectFrom('installs')
    .innerJoin('products', 'products.id', 'installs.product_id')
    .select([
      'installs.id',
      'installs.product_id',
      'installs.user_id',
      'installs.reach',
      'products.developer_id',
    ])
    .select(({ selectFrom }) =>
      selectFrom('deployments')
        .select(({ fn }) => fn.max('version_key').as('key'))
        .whereRef('deployments.product_id', '=', 'installs.product_id')
        .as('newest_version'),
    )

/** The products a user belongs to, the earliest first. */
export const findProductsOfUser = prepared((db, { userId }: { userId: number }) =>
  unscoped(db, 'the products of the user whose token calls')
    .selectFrom('product_users')
    .innerJoin('products', 'products.id', 'product_users.product_id')
    .select(['product_users.product_id', 'products.developer_id'])
    .where('product_users.user_id', '=', userId)
    .orderBy('product_users.product_id')
    .limit(200),
)

interface InFamily {
  readonly developerId: number
  /** Whose users' keys are used. */
  readonly productId: number
  /** The product whose pair was their proof, else that same one. */
  readonly within: number
  readonly id: number
}

/** A product, when the keys of another one's users open it too. */
export const findInFamily = prepared((db, { id, developerId, productId, within }: InFamily) =>
  familyOf(db, { developerId, productId, within }).where('products.id', '=', id),
)

/** The product of a license, when the keys of a product's users open it. */
export const findProductOfLicense = prepared((db, { id, developerId, productId, within }: InFamily) =>
  unscoped(db, IN_FAMILY)
    .selectFrom('licenses')
    .select('product_id')
    .where('id', '=', id)
    .where('product_id', 'in', familyOf(db, { developerId, productId, within })),
)

/** The product of an install, when the keys of a product's users open it. */
export const findProductOfInstall = prepared((db, { id, developerId, productId, within }: InFamily) =>
  unscoped(db, IN_FAMILY)
    .selectFrom('installs')
    .select('product_id')
    .where('id', '=', id)
    .where('product_id', 'in', familyOf(db, { developerId, productId, within })),
)

/** Where a product stands: whose it is and in which store. */
export const findProductOwner = prepared((db, { id }: { id: number }) =>
  unscoped(db, 'whose a product is, before anybody may touch it')
    .selectFrom('products')
    .select(['id', 'developer_id', 'store_id'])
    .where('id', '=', id),
)

/** Writes when a token was last used, unless a later time stands already. */
export const touchApiToken = (db: Writer, id: number, now: UtcTime) =>
  unscoped(db, 'a token that has called')
    .updateTable('api_tokens')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((or) => or.or([or('last_used_at', 'is', null), or('last_used_at', '<', now)]))
    .execute()

/** Writes from where and by which browser a session was last used, unless a later time stands already. */
export const touchSession = (
  db: Writer,
  { id, ip, agent }: { readonly id: number; readonly ip: string | null; readonly agent: string | null },
  now: number,
) =>
  unscoped(db, 'a session that has called')
    .updateTable('sessions')
    .set({ last_used_ip: ip, last_used_agent: agent, last_used_at: now })
    .where('id', '=', id)
    .where((or) => or.or([or('last_used_at', 'is', null), or('last_used_at', '<', now)]))
    .execute()

/** The pair of a user's keys that an install's own keys reach as far as; the latest of several. */
export const findPairOfInstall = prepared((db, { id }: { id: number }) =>
  unscoped(db, OF_INSTALL)
    .selectFrom('user_key_installs')
    .select('user_key_id as id')
    .where('install_id', '=', id)
    .where('signs', '=', true)
    .orderBy('user_key_id', 'desc')
    .limit(1),
)

/** The pair of own reach that an install's own keys reach as far as. */
export const findOwnPairOfInstall = prepared((db, { id }: { id: number }) =>
  unscoped(db, OF_INSTALL)
    .selectFrom('user_key_installs')
    .innerJoin('user_keys', 'user_keys.id', 'user_key_installs.user_key_id')
    .select('user_keys.id')
    .where('user_key_installs.install_id', '=', id)
    .where('user_key_installs.signs', '=', true)
    .where('user_keys.reach', '=', 'own')
    .orderBy('user_keys.id', 'desc')
    .limit(1),
)

/** The products of an account that the caller opens: all, or those that its token is narrowed to. */
export async function productsOfAccount(
  db: Reader,
  { developerId, actor }: Pick<Scope, 'developerId' | 'actor'>,
): Promise<number[]> {
  const rows = await unscoped(db, 'the account is that of the scope')
    .selectFrom('products')
    .select('id')
    .where('developer_id', '=', developerId)
    .execute()
  const ids = rows.map(({ id }) => id)
  return actor.productIds ? ids.filter((id) => actor.productIds?.includes(id)) : ids
}
