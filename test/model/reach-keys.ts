import { transaction } from '../../src/context.ts'
import { issueAccessToken } from '../../src/accounts/tokens/access-tokens.ts'
import type { Seller, TestProduct } from '../factories.ts'
import { jsonBody, type Call } from '../security/client.ts'
import { activationTokensOf } from '../security/secrets.ts'
import type { Person, World, Ids } from '../security/world.ts'
import { connect } from './reach-moves.ts'
import type { Player } from './reach-world.ts'

interface Shop {
  readonly seller: Seller
  readonly product: TestProduct
  readonly people: readonly Person[]
  readonly places: readonly Ids[]
}

/** The first holder of each product is a user of the other one of its seller too, where it has nothing. */
export async function knowEachOther({ send }: World, shops: readonly Shop[]): Promise<void> {
  for (const { seller: by, product, people } of shops) {
    const other = shops.find((shop) => shop.seller === by && shop.product !== product)?.product
    const body = { email: people[0]?.email, name: 'Some Body' }
    const path = `/v1/products/${other?.id}/users.json`
    const { headers, ...sent } = jsonBody(body)
    const authorization = `Bearer ${other?.token}`
    const { status, text } = await send({
      method: 'POST',
      path,
      ...sent,
      headers: { ...headers, authorization },
    })
    if (status !== 200) throw new Error(text)
  }
}

/**
 * Holders of keys that came in other ways: of a product by its next secret key, while the former one goes on; each
 * person by a login, by a link into the portal that the product made, and by a site that a mailed link connected; a
 * site that has connected with a license key.
 */
export async function furtherHolders(world: World, shop: Shop, known: readonly Player[]): Promise<Player[]> {
  const by = (name: string) => known.find((player) => player.name === name) ?? missing(name)
  const further = [await renewed(world, shop, by(`product ${shop.product.id}`))]
  for (const person of shop.people) {
    const user = by(`user ${person.id}`)
    further.push(await loggedInAs(world, shop, user))
    further.push(await entered(world, shop, user))
    further.push(await linked(world, person, user))
    further.push(await optedIn(world, shop, by(`pair ${person.id}`)))
  }
  return further
}

const missing = (what: string): never => {
  throw new Error(`There is no ${what}.`)
}

/** A holder by other keys: what it has shown and made is its own. */
const another = (player: Player, about: Pick<Player, 'name' | 'put'>): Player => ({
  ...player,
  licenses: new Set(player.licenses),
  installs: new Set(player.installs),
  said: new Set(player.said),
  ...about,
})

async function renewed({ send, sign }: World, { seller, product }: Shop, player: Player): Promise<Player> {
  const path = `/v1/developers/${seller.developer.id}/products/${product.id}/keys.json`
  const call = { method: 'POST', path, ...jsonBody({ overlap_hours: 168 }) }
  const { status, json, text } = await send(sign(seller.developer, call))
  if (status !== 200) throw new Error(text)
  const next = { ...product, secretKey: String(json.secret_key) }
  return another(player, { name: `renewed ${product.id}`, put: (one) => sign(next, one) })
}

async function loggedInAs({ ctx }: World, { seller }: Shop, player: Player): Promise<Player> {
  const owner = { developerId: seller.developer.id, userId: player.userId ?? 0 }
  const { access } = await transaction(ctx, (tx) => issueAccessToken(tx, owner))
  const authorization = `FSA ${player.userId}:${access}`
  const put = (call: Call) => ({ ...call, headers: { ...call.headers, authorization } })
  return { ...another(player, { name: `login ${player.userId}`, put }), isSignedIn: true }
}

/** By the access token for which a link into the portal was exchanged that the product was answered. */
async function entered({ send, sign }: World, { product }: Shop, player: Player): Promise<Player> {
  const path = `/v1/products/${product.id}/portal/login.json`
  const made = await send(sign(product, { method: 'POST', path, ...jsonBody({ id: String(player.userId) }) }))
  const { pathname, search } = new URL(String(made.json.link))
  const { json } = await send({ method: 'POST', path: pathname + search })
  const authorization = `FSA ${player.userId}:${json.user_token.token.access}`
  const put = (call: Call) => ({ ...call, headers: { ...call.headers, authorization } })
  return another(player, { name: `entered ${player.userId}`, put })
}

const uidOf = (what: string, { userId = 0 }: Player): string => `${what}${userId}`.padEnd(32, 'c')

/** By the keys with which the browser of who follows a mailed link is led to the site that asked. */
async function linked(world: World, { email }: Person, player: Player): Promise<Player> {
  const before = new Set(await activationTokensOf(world))
  await world.send(connect(player, email, uidOf('linked', player)).call)
  const token =
    (await activationTokensOf(world)).find((one) => !before.has(one)) ?? missing(`link to ${email}`)
  const { headers } = await world.send({ method: 'POST', path: `/confirm-activation/${token}` })
  const keys = Object.fromEntries(new URL(String(headers.location)).searchParams)
  return another(player, { name: `linked ${player.userId}`, put: (call) => world.sign(signerOf(keys), call) })
}

async function optedIn(world: World, { places }: Shop, player: Player): Promise<Player> {
  const { license_key: key, email = '' } =
    places.find((ids) => player.licenses.has(Number(ids['license_id']))) ?? {}
  const { status, json, text } = await world.send(connect(player, email, uidOf('opted', player), key).call)
  if (status !== 200 || typeof json.user_secret_key !== 'string') throw new Error(text)
  const put = (call: Call) => world.sign(signerOf(json), call)
  return {
    ...another(player, { name: `opted ${player.userId}`, put }),
    installs: new Set([Number(json.install_id)]),
    own: { ...player.own, install_id: String(json.install_id) },
  }
}

const signerOf = (keys: Readonly<Record<string, string>>) => ({
  id: Number(keys['user_id']),
  publicKey: keys['user_public_key'] ?? missing('public key'),
  secretKey: keys['user_secret_key'] ?? missing('secret key'),
})
