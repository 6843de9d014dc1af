import { transaction } from '../../src/context.ts'
import { addProduct } from '../../src/catalogue/sellers/create-seller.ts'
import { systemScope, type ScopeKind } from '../../src/access/scope.ts'
import { createStore } from '../../src/catalogue/stores/service.ts'
import type { Seller, TestProduct } from '../factories.ts'
import { jsonBody, type Call } from '../security/client.ts'
import { licenseUser, offerIn } from '../security/licensed.ts'
import { newMember } from '../security/members.ts'
import type { Signer } from '../security/signing.ts'
import { loggedIn } from '../security/visits.ts'
import {
  createAll,
  createPerson,
  idsOf,
  installKeysOf,
  startWorld,
  type Ids,
  type Person,
  type World,
} from '../security/world.ts'
import { Mirror } from './reach-rows.ts'
import { furtherHolders, knowEachOther } from './reach-keys.ts'
import { nameSites, plantAmounts, type Amounts } from './reach-marks.ts'
import type { Holder } from './reach-holder.ts'

/** A holder of a credential, with how it is put on a call. */
export interface Player extends Holder {
  put(call: Call): Call
  /** Where it calls; by default where its side does. */
  readonly kinds?: readonly ScopeKind[]
  /** What its own addresses begin with. */
  readonly own: Ids
  /** What it knows and names in its calls: a key, a token of a checkout. */
  readonly knows: Ids
}

export interface Board {
  readonly world: World
  readonly mirror: Mirror
  readonly players: readonly Player[]
  /** The row of each amount that was planted, as replies write it. */
  readonly amounts: Amounts
  /** What addresses and arguments are drawn from: live ids of each product and of each holder in it. */
  readonly places: readonly Ids[]
}

/** A product with its two holders. */
interface Shop {
  readonly seller: Seller
  readonly product: TestProduct
  readonly storeId: number
  readonly people: readonly Person[]
  readonly places: readonly Ids[]
}

/** Two developers with two stores each, a product in every store, two holders in every product. */
export async function setUp(name: string): Promise<Board> {
  let mirror: Mirror | undefined
  const world = await startWorld(name, {
    prepare: async (ctx) => {
      mirror = await Mirror.over(ctx.database)
    },
  })
  if (!mirror) throw new Error('The world has been prepared.')
  const { seller, stranger, people, ids } = world
  const shops = [
    await withSecond(
      world,
      shopOf(seller, seller.product, [people.ada], [ids.own, ids.neighbour]),
      people.bea,
    ),
    await withSecond(world, shopOf(stranger, stranger.product, [people.dan], [ids.stranger])),
    await secondStore(world, seller),
    await secondStore(world, stranger),
  ]
  await knowEachOther(world, shops)
  const players = [
    ...(await accountsOf(world)),
    ...shops.flatMap((shop) => sellersOf(world, shop)),
    ...(await Promise.all(shops.map((shop) => holdersOf(world, shop)))).flat(),
  ]
  for (const shop of shops) players.push(...(await furtherHolders(world, shop, players)))
  const amounts = await plantAmounts(world)
  await nameSites(world)
  await mirror.catchUp(world.ctx.keys)
  return {
    world,
    mirror,
    players,
    amounts,
    places: [...shops.flatMap(({ places }) => places), ids.other].map((place) => ({ ...ids.own, ...place })),
  }
}

const shopOf = (seller: Seller, product: TestProduct, people: Person[], places: Ids[]): Shop => ({
  seller,
  product,
  storeId: seller.store.id,
  people,
  places,
})

/** The second holder of a product has a license too, and the first one another. */
async function withSecond(world: World, shop: Shop, known?: Person): Promise<Shop> {
  const { seller, product, people, places } = shop
  const second = known ?? (await createPerson(world.send, product, `second-of-${product.id}@example.com`))
  const scope = systemScope({ developerId: seller.developer.id, productId: product.id })
  const [first = {}] = places
  const more = await transaction(world.ctx, async (tx) => {
    const made: Ids[] = []
    for (const person of [...people, second]) {
      const ids = await licenseUser(tx, scope, offerIn(first), person.id)
      made.push({ ...first, ...ids, user_id: String(person.id), email: person.email })
    }
    return made
  })
  return { ...shop, people: [...people, second], places: [...places, ...more] }
}

async function secondStore(world: World, seller: Seller): Promise<Shop> {
  const { developer } = seller
  const { storeId, product } = await transaction(world.ctx, async (tx) => {
    const id = await createStore(tx, { developerId: developer.id, title: 'Second store' })
    const about = { title: 'Elsewhere', redirectHosts: ['shop.example.com'], tokenName: 'test' }
    return { storeId: id, product: await addProduct(tx, { developerId: developer.id, storeId: id }, about) }
  })
  const store = { ...seller.store, id: storeId }
  const person = await createPerson(world.send, product, `first-of-${product.id}@example.com`)
  const place = {
    ...(await idsOf(world.send, { ...seller, store }, product, person)),
    ...(await createAll(world.ctx, { ...seller, store }, product, person)),
  }
  return withSecond(world, { seller, product, storeId, people: [person], places: [place] })
}

const header = (authorization: string) => (call: Call) => ({
  ...call,
  headers: { ...call.headers, authorization },
})

const seller = (about: Omit<Player, 'licenses' | 'installs' | 'said' | 'knows'>): Player => ({
  licenses: new Set(),
  installs: new Set(),
  said: new Set(),
  knows: {},
  ...about,
})

/** The accounts: by keys, by a session, and as members of the team, of each role. */
async function accountsOf(world: World): Promise<Player[]> {
  const of = ({ developer }: Seller) => ({
    side: 'account' as const,
    developerId: developer.id,
    own: { developer_id: String(developer.id) },
  })
  const { seller: ours, stranger, sign, access } = world
  const members = await Promise.all(
    (['developer', 'support', 'accountant'] as const).map(async (name) => {
      const { memberId, access: token } = await newMember(world, name)
      const put = header(`FSA ${ours.developer.id}:${token}`)
      return seller({ ...of(ours), name: `role ${name}`, memberId, put })
    }),
  )
  return [
    seller({ ...of(ours), name: 'developer', put: (call) => sign(ours.developer, call) }),
    seller({ ...of(stranger), name: 'other developer', put: (call) => sign(stranger.developer, call) }),
    seller({ ...of(ours), name: 'access', put: header(`FSA ${ours.developer.id}:${access.live}`) }),
    seller({
      ...of(ours),
      name: 'session',
      put: (call) => (call.path.includes('/logout') ? call : loggedIn(world, 'live', call)),
    }),
    ...members,
  ]
}

/** The store, the product by its secret and by a token, and who has its public key alone. */
function sellersOf(
  { sign, seller: ours, stranger }: World,
  { seller: by, product, storeId }: Shop,
): Player[] {
  const name = `${product.id}`
  const own = {
    developer_id: String(by.developer.id),
    store_id: String(storeId),
    product_id: String(product.id),
  }
  const base = { developerId: by.developer.id, own }
  const ofProduct = { ...base, productId: product.id }
  const stores = [ours.store, stranger.store].filter(({ id }) => id === storeId)
  return [
    ...stores.map((store) =>
      seller({ ...base, name: `store ${name}`, side: 'store', storeId, put: (call) => sign(store, call) }),
    ),
    seller({ ...ofProduct, name: `product ${name}`, side: 'product', put: (call) => sign(product, call) }),
    seller({ ...ofProduct, name: `token ${name}`, side: 'product', put: header(`Bearer ${product.token}`) }),
    seller({
      ...ofProduct,
      name: `public ${name}`,
      side: 'public',
      put: (call) => sign(product, call, 'FSP'),
    }),
  ]
}

/** Each holder as the user whole, by a pair of reach own, as the install and its token, by the key alone, as nobody. */
async function holdersOf(world: World, shop: Shop): Promise<Player[]> {
  const { seller: by, product, people, places } = shop
  const players = await Promise.all(
    people.map(async (person) => {
      const mine = places.find((ids) => ids['user_id'] === String(person.id)) ?? {}
      return playersOf(world, shop, { person, mine, grant: await activate(world, shop, mine) })
    }),
  )
  const path = `/v1/products/${product.id}/sandbox/token.json`
  const issued = await world.send(
    header(`Bearer ${product.token}`)({ method: 'POST', path, ...jsonBody({}) }),
  )
  const base = {
    side: 'nobody' as const,
    developerId: by.developer.id,
    productId: product.id,
    own: { product_id: String(product.id), product_public_key: product.publicKey },
    put: (call: Call) => call,
  }
  return [
    ...players.flat(),
    seller({ ...base, name: `nobody ${product.id}` }),
    { ...seller({ ...base, name: `sandbox ${product.id}` }), knows: { sandbox: issued.json.token } },
  ]
}

type Grant = Readonly<Record<string, string>>

async function activate(world: World, { product }: Shop, { license_key: key }: Ids): Promise<Grant> {
  const uid = Math.random().toString(16).slice(2).padEnd(32, '0').slice(0, 32)
  const path = `/v1/products/${product.id}/licenses/activate.json`
  const answer = await world.send({ method: 'POST', path, ...jsonBody({ uid, license_key: key }) })
  if (answer.status !== 200) throw new Error(answer.text)
  return { ...answer.json, uid }
}

function playersOf(
  { sign }: World,
  { seller: by, product }: Shop,
  { person, mine, grant }: { readonly person: Person; readonly mine: Ids; readonly grant: Grant },
): Player[] {
  const install = Number(grant['install_id'])
  const license = new Set([Number(mine['license_id'])])
  const base = {
    developerId: by.developer.id,
    productId: product.id,
    userId: person.id,
    own: {
      product_id: String(product.id),
      product_public_key: product.publicKey,
      user_id: String(person.id),
      install_id: String(install),
      email: person.email,
    },
    knows: {},
  }
  const keysOf = (of: 'user' | 'install'): Signer =>
    of === 'install'
      ? installKeysOf(grant)
      : {
          id: person.id,
          publicKey: grant['user_public_key'] ?? '',
          secretKey: grant['user_secret_key'] ?? '',
        }
  // Its pair, its keys and its token are of one install, and reach the same.
  const own = {
    ...base,
    side: 'own' as const,
    licenses: license,
    installs: new Set([install]),
    said: new Set<string>(),
  }
  const none = () => ({ licenses: new Set<number>(), installs: new Set<number>(), said: new Set<string>() })
  const key = { license_key: mine['license_key'] ?? '', uid: grant['uid'] ?? '' }
  const { userId: _owner, ...ofKey } = base
  return [
    { ...base, ...none(), name: `user ${person.id}`, side: 'person', put: (call) => sign(person.keys, call) },
    { ...own, name: `pair ${person.id}`, kinds: ['user'], put: (call) => sign(keysOf('user'), call) },
    { ...own, name: `install ${install}`, put: (call) => sign(keysOf('install'), call) },
    { ...own, name: `install-token ${install}`, put: header(`Bearer ${grant['install_api_token']}`) },
    { ...ofKey, ...none(), name: `key of ${person.id}`, side: 'nobody', knows: key, put: (call) => call },
  ]
}
