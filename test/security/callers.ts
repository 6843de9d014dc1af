import { transaction } from '../../src/context.ts'
import { issueAccessToken } from '../../src/accounts/tokens/access-tokens.ts'
import type { Call } from './client.ts'
import type { Credential } from './matrix.ts'
import { installKeysOf, loggedIn, type Ids, type World } from './world.ts'

/** A call with a credential: with that of the install of these ids, where it is one of an install. */
export type Credentialed = (call: Call, ids: Ids) => Call

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
    garbage: header('FS 1:2'),
  }
}
