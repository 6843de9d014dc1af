import { transaction } from '../../src/context.ts'
import { hashToken } from '../../src/lib/credentials.ts'
import { issueAccessToken } from '../../src/accounts/tokens/access-tokens.ts'
import { issueApiToken } from '../../src/accounts/tokens/api-tokens.ts'
import type { Call } from './client.ts'
import type { Credential } from './matrix.ts'
import { installKeysOf, type Ids, type Person, type World } from './world.ts'
import { inPortal, loggedIn } from './visits.ts'

/** A call with a credential: with that of the install of these ids, where it is one of an install. */
export type Credentialed = (call: Call, ids: Ids) => Call

/** Tokens of the seller's account, and of another one's; the rights that one has are those of no operation. */
const developerTokens = ({ ctx, seller, stranger }: World) =>
  transaction(ctx, async (tx) => {
    const issue = async (of: object = {}) => {
      const all = { developerId: seller.developer.id, productIds: null, rights: null, expiresAt: null }
      return issueApiToken(tx, { ...all, name: 'matrix', ...of })
    }
    const revoked = await issue()
    await tx.db
      .updateTable('api_tokens')
      .set({ revoked_at: tx.clock.now() })
      .where('id', '=', revoked.id)
      .execute()
    return {
      whole: (await issue()).token,
      ofProduct: (await issue({ productIds: [seller.product.id] })).token,
      ofOther: (await issue({ productIds: [seller.other.id] })).token,
      ofNothing: (await issue({ rights: [] })).token,
      stranger: (await issue({ developerId: stranger.developer.id })).token,
      expired: (await issue({ expiresAt: tx.clock.now() })).token,
      revoked: revoked.token,
    }
  })

/** How each kind of credential is put on a call. */
export async function callersOf(world: World): Promise<Record<Credential, Credentialed>> {
  const {
    seller,
    stranger,
    people,
    access,
    ids: { neighbour },
  } = world
  const userToken = await transaction(world.ctx, (tx) =>
    issueAccessToken(tx, { developerId: seller.developer.id, userId: people.ada.id }),
  )
  const tokens = await developerTokens(world)
  const header =
    (authorization: string): Credentialed =>
    (call) => ({ ...call, headers: { ...call.headers, authorization } })
  const keys =
    (signer: Parameters<World['sign']>[0], scheme: 'FS' | 'FSP' = 'FS'): Credentialed =>
    (call) =>
      world.sign(signer, call, scheme)
  return {
    none: (call) => call,
    bearer: header(`Bearer ${seller.product.token}`),
    'bearer of another product': header(`Bearer ${seller.other.token}`),
    'developer token': header(`Bearer ${tokens.whole}`),
    'developer token of this product': header(`Bearer ${tokens.ofProduct}`),
    'developer token of another product': header(`Bearer ${tokens.ofOther}`),
    'developer token of some rights': header(`Bearer ${tokens.ofNothing}`),
    'developer token of another seller': header(`Bearer ${tokens.stranger}`),
    'developer token that expired': header(`Bearer ${tokens.expired}`),
    'developer token that was revoked': header(`Bearer ${tokens.revoked}`),
    'FS product': keys(seller.product),
    'FSP product': keys(seller.product, 'FSP'),
    'FS developer': keys(seller.developer),
    'FS another developer': keys(stranger.developer),
    'FS store': keys(seller.store),
    'FS another store': keys(stranger.store),
    'FS user': keys(people.ada.keys),
    'FS user of another product': keys(people.cleo.keys),
    'FS user of another developer': keys(people.dan.keys),
    'FSP user': keys(people.ada.keys, 'FSP'),
    'FS install': (call, ids) => world.sign(installKeysOf(ids), call),
    'FS another install': keys(installKeysOf(neighbour)),
    'FSP install': (call, ids) => world.sign(installKeysOf(ids), call, 'FSP'),
    'install token': (call, ids) => header(`Bearer ${ids['install_token']}`)(call, ids),
    'token of another install': header(`Bearer ${neighbour['install_token']}`),
    'FSA developer': header(`FSA ${seller.developer.id}:${access.live}`),
    'FSA expired': header(`FSA ${seller.developer.id}:${access.expired}`),
    'FSA user': header(`FSA ${people.ada.id}:${userToken.access}`),
    session: (call) => loggedIn(world, 'live', call),
    'session of another developer': (call) => loggedIn(world, 'stranger', call),
    'session that ended': (call) => loggedIn(world, 'ended', call),
    ...(await portalCallers(world)),
    garbage: header('FS 1:2'),
  }
}

type InPortal = Extract<Credential, `portal${string}`>

/** How a browser calls that a link has let into the portal: of each kind one that stays, and some to leave with. */
async function portalCallers(world: World): Promise<Record<InPortal, Credentialed>> {
  const { ctx, seller, stranger, people } = world
  const enter = ({ developer }: World['seller'], { id }: Person, productId: number | null = null) =>
    transaction(ctx, async (tx) => {
      const owner = { developerId: developer.id, userId: id, productId }
      return (await issueAccessToken(tx, owner)).access
    })
  const caller = async (...of: Parameters<typeof enter>): Promise<Credentialed> => {
    const stays = await enter(...of)
    const spare = await Promise.all(Array.from({ length: SPARE }, () => enter(...of)))
    return (call) => {
      const isLast = call.path.includes('/portal/logout.json')
      return inPortal(world, (isLast ? spare.pop() : undefined) ?? stays, call)
    }
  }
  const [expired, left] = [await enter(seller, people.ada), await enter(seller, people.ada)]
  const of = (token: string) =>
    ctx.db.selectFrom('access_tokens').select('id').where('token_hash', '=', hashToken(token))
  await transaction(ctx, async ({ db, clock }) => {
    await db
      .updateTable('access_tokens')
      .set({ expires_at: clock.now() })
      .where('id', 'in', of(expired))
      .execute()
    await db.deleteFrom('access_tokens').where('id', 'in', of(left)).execute()
  })
  return {
    portal: await caller(seller, people.ada),
    'portal of another user': await caller(seller, people.bea),
    'portal of another product': await caller(seller, people.cleo, seller.other.id),
    'portal of another developer': await caller(stranger, people.dan),
    'portal that expired': (call) => inPortal(world, expired, call),
    'portal that was left': (call) => inPortal(world, left, call),
  }
}

const SPARE = 4
