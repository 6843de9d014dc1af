import { createWholes } from '../wholes.ts'
import { promisify } from 'node:util'
import { transaction, type TxContext } from '../../src/context.ts'
import type { Timeouts } from '../../src/http/server.ts'
import { systemScope } from '../../src/access/scope.ts'
import { DAY, HOUR, toRfc2822 } from '../../src/lib/time.ts'
import { issueAccessToken } from '../../src/accounts/tokens/access-tokens.ts'
import { startSession } from '../../src/accounts/sessions/sessions.ts'
import { updateInfo } from '../../src/catalogue/products/info.ts'
import { writeSetting } from '../../src/catalogue/products/settings.ts'
import { createReview } from '../../src/catalogue/reviews/service.ts'
import { updateProductAddresses, updateStoreAddresses } from '../../src/catalogue/stores/addresses.ts'
import { startServer } from '../../src/start.ts'
import { testContext, type TestContext, type TestOptions } from '../app.ts'
import { createVersion, storeSmallZip } from '../archives.ts'
import { createCart } from '../carts.ts'
import { createAddon, createOffer, type Owned } from '../catalogue.ts'
import { openSandboxCheckout } from '../checkouts.ts'
import { createCoupons } from '../coupons.ts'
import { createSeller, type Seller, type TestProduct } from '../factories.ts'
import { createTriedWebhook } from '../webhooks.ts'
import { createAccount } from './of-account.ts'
import { clientOf, jsonBody, type Call, type Send } from './client.ts'
import { createLicensed, licenseUser, offerIn } from './licensed.ts'
import { signed, type Signer } from './signing.ts'

export interface Person {
  readonly id: number
  readonly email: string
  /** Its keys for the product it was created in. */
  readonly keys: Signer
}

/** What a path parameter may stand for: by name, the id of something that lives; and keys and names of that. */
export type Ids = Readonly<Record<string, string>>

/** The keys of the install that is meant by these ids. */
export const installKeysOf = (ids: Ids): Signer => ({
  id: ids['install_id'] ?? '',
  publicKey: ids['install_public_key'] ?? '',
  secretKey: ids['install_secret_key'] ?? '',
})

export interface World {
  readonly ctx: TestContext
  readonly address: string
  /** `product` and `other` belong to it. */
  readonly seller: Seller
  readonly stranger: Seller
  readonly people: {
    /** A user of both products of the seller, with another pair of keys in each. */
    readonly ada: Person
    readonly adaInOther: Person
    /** A second user of the first product. */
    readonly bea: Person
    /** A user of the second product only. */
    readonly cleo: Person
    /** A user of the stranger's product. */
    readonly dan: Person
  }
  /**
   * Live ids of the first product, where what is a user's is Ada's; what a second user of it has; live ids of the
   * seller's second product, and of another seller's.
   */
  readonly ids: { readonly own: Ids; readonly neighbour: Ids; readonly other: Ids; readonly stranger: Ids }
  /** Sessions of the seller, of the stranger, one that has ended, and some of the seller to end. */
  readonly sessions: {
    readonly live: string
    readonly stranger: string
    readonly ended: string
    readonly spare: string[]
  }
  /** Access tokens of the seller's account (`FSA`), and that by which Ada is in the portal. */
  readonly access: { readonly live: string; readonly expired: string; readonly portal: string }
  readonly send: Send
  /** Signed by these keys, as the PHP SDK signs, at the world's time. */
  sign(signer: Signer, call: Call, scheme?: 'FS' | 'FSP'): Call
  /** Waits until every authentication so far is in the audit log. */
  recorded(): Promise<void>
  /** How many connections the server holds. */
  connections(): Promise<number>
  /** Stops the server, which then has recorded every authentication; the database stays. */
  stop(): Promise<void>
  close(): Promise<void>
}

export interface WorldOptions extends TestOptions {
  readonly timeouts?: Timeouts
  /** Done with the empty database. */
  readonly prepare?: (ctx: TestContext) => Promise<void>
}

/** Everything of a product beyond its users: offers, an account, and a license of the person. */
export const createAll = async (ctx: TestContext, seller: Seller, product: TestProduct, person: Person) => ({
  ...(await createOffers(ctx, seller, product)),
  ...(await createAccount(ctx, seller, product)),
  ...(await createLicensed(ctx, ownerOf(seller, product), person.id)),
})

/** A server with two sellers, three products, people and events in each; nobody else uses it. */
export async function startWorld(name: string, options: WorldOptions = {}): Promise<World> {
  const { ctx, drop } = await testContext(`security_${name}`, options)
  await options.prepare?.(ctx)
  const seller = await transaction(ctx, (tx) => createSeller(tx))
  const stranger = await transaction(ctx, (tx) => createSeller(tx, 'stranger@example.com'))
  await storeSmallZip(ctx)
  const running = await startServer(ctx, options.timeouts ? { timeouts: options.timeouts } : {})
  const client = clientOf(running.address)
  const { send } = client
  let stopping: Promise<void> | undefined
  const stop = () => {
    client.close()
    return (stopping ??= running.stop())
  }
  const sign = (signer: Signer, call: Call, scheme: 'FS' | 'FSP' = 'FS') =>
    signed(signer, call, { scheme, date: toRfc2822(ctx.clock.real()), signedType: typeOf(call) })
  const newToken = async () => {
    const path = `/v1/developers/${seller.developer.id}/token.json`
    return String((await send(sign(seller.developer, { method: 'GET', path }))).json.access)
  }
  const expired = await newToken()
  ctx.clock.advance(25 * HOUR)
  const people = await createPeople(send, seller, stranger)
  const offers = {
    own: await createAll(ctx, seller, seller.product, people.ada),
    other: await createAll(ctx, seller, seller.other, people.cleo),
    stranger: await createAll(ctx, stranger, stranger.product, people.dan),
  }
  const portal = await transaction(ctx, (tx) =>
    issueAccessToken(tx, { developerId: seller.developer.id, userId: people.ada.id }),
  )
  const own = { ...(await idsOf(send, seller, seller.product, people.ada)), ...offers.own }
  return {
    ctx,
    address: running.address,
    seller,
    stranger,
    people,
    ids: {
      own,
      neighbour: await createNeighbour(ctx, seller, people.bea, own),
      other: { ...(await idsOf(send, seller, seller.other, people.cleo)), ...offers.other },
      stranger: { ...(await idsOf(send, stranger, stranger.product, people.dan)), ...offers.stranger },
    },
    sessions: await createSessions(ctx, seller, stranger),
    access: { expired, live: await newToken(), portal: portal.access },
    send,
    sign,
    recorded: () => running.server.frame.authentications.flush(),
    connections: () => promisify(running.server.server.getConnections.bind(running.server.server))(),
    stop,
    async close() {
      await stop()
      await drop()
    },
  }
}

/** The content type of a call as it is signed; without a body that of the SDKs. */
function typeOf({ headers, body }: Call): string | null {
  const type = headers?.['content-type']
  if (type === undefined) return body === undefined ? 'application/json' : null
  return String(type)
}

const ownerOf = ({ developer, store }: Seller, { id }: TestProduct) => ({
  developerId: developer.id,
  storeId: store.id,
  productId: id,
})

/** A license of a second user of the first product. */
const createNeighbour = (ctx: TestContext, seller: Seller, { id, email }: Person, own: Ids): Promise<Ids> =>
  transaction(ctx, async (tx) => {
    const scope = systemScope(ownerOf(seller, seller.product))
    const ids = await licenseUser(tx, scope, offerIn(own), id)
    return { ...ids, user_id: String(id), email }
  })

/** A plan with a price and a feature, in the product and in an add-on of it; coupons of the product and its store. */
const createOffers = (ctx: TestContext, seller: Seller, product: TestProduct): Promise<Ids> =>
  transaction(ctx, async (tx) => {
    const owner = ownerOf(seller, product)
    const offer = await createOffer(tx, owner, 'professional')
    const addonId = await createAddon(tx, owner, `Add-on of ${product.id}`)
    await createVersion(tx, systemScope({ ...owner, productId: addonId }), 'released')
    const addonOffer = await createOffer(tx, { ...owner, productId: addonId }, 'extra')
    return {
      plan_id: String(offer.planId),
      pricing_id: String(offer.pricingId),
      feature_id: String(offer.featureId),
      addon_id: String(addonId),
      addon_plan_id: String(addonOffer.planId),
      setting_id: await createSales(tx, owner),
      review_id: await createOpinion(tx, owner),
      tag_id: await createVersion(tx, systemScope(owner), 'released'),
      ...(await createCoupons(tx, owner)),
      cart_id: await createCart(tx, owner),
      webhook_id: await createTriedWebhook(tx, systemScope(owner)),
      ...(await createWholes(tx, systemScope(owner))),
      checkout_token: await openSandboxCheckout(tx, systemScope(owner), {
        pricingId: offer.pricingId,
        email: `checkout-${product.id}@example.com`,
      }),
    }
  })

/** What a product is sold with: what a market shows of it, sender addresses, its store's too; one of its settings. */
async function createSales(tx: TxContext, owner: Owned): Promise<string> {
  const scope = systemScope(owner)
  await updateInfo(tx, scope, { url: `https://shop.example.com/${owner.productId}` })
  await updateProductAddresses(tx, scope, { general: `product-${owner.productId}@example.com` })
  await updateStoreAddresses(tx, scope, owner.storeId, { general: `store-${owner.storeId}@example.com` })
  return (await writeSetting(tx, scope, { setting_type: 3 })).id
}

export async function createOpinion(tx: TxContext, owner: Omit<Owned, 'storeId'>): Promise<string> {
  const opinion = { rate: 90, text: 'It does what it says.', name: 'Some Body', is_active: true }
  return (await createReview(tx, systemScope(owner), opinion, undefined)).id
}

const SPARE_SESSIONS = 60
async function createSessions(
  ctx: TestContext,
  seller: Seller,
  stranger: Seller,
): Promise<World['sessions']> {
  const create = async ({ developer }: Seller, lastsMs: number, count = 1) =>
    transaction(ctx, async (tx) => {
      const tokens: string[] = []
      while (tokens.length < count) tokens.push((await startSession(tx, developer.id, lastsMs)).token)
      return tokens
    })
  const [[live = ''], [ofStranger = ''], [ended = '']] = [
    await create(seller, DAY),
    await create(stranger, DAY),
    await create(seller, 0),
  ]
  return { live, stranger: ofStranger, ended, spare: await create(seller, DAY, SPARE_SESSIONS) }
}

async function createPeople(send: Send, seller: Seller, stranger: Seller): Promise<World['people']> {
  const person = (product: TestProduct, email: string) => createPerson(send, product, email)
  return {
    ada: await person(seller.product, 'ada@example.com'),
    adaInOther: await person(seller.other, 'ada@example.com'),
    bea: await person(seller.product, 'bea@example.com'),
    cleo: await person(seller.other, 'cleo@example.com'),
    dan: await person(stranger.product, 'dan@example.com'),
  }
}

/** A user of a product, with a billing address. */
export async function createPerson(send: Send, product: TestProduct, email: string): Promise<Person> {
  const authorization = `Bearer ${product.token}`
  const write = async (method: string, path: string, value: object) => {
    const { headers, body } = jsonBody(value)
    const answer = await send({ method, path, body, headers: { ...headers, authorization } })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json
  }
  const users = `/v1/products/${product.id}/users`
  const user = await write('POST', `${users}.json`, { email, first: 'Some', last: 'Body' })
  await write('PUT', `${users}/${user.id}/billing.json`, { business_name: `Company of ${email}` })
  const id = Number(user.id)
  return { id, email, keys: { id, publicKey: user.public_key, secretKey: user.secret_key } }
}

export async function idsOf(send: Send, seller: Seller, product: TestProduct, person: Person): Promise<Ids> {
  const headers = { authorization: `Bearer ${product.token}` }
  const path = `/v1/products/${product.id}/users/${person.id}/events.json`
  const { events } = (await send({ method: 'GET', path, headers })).json
  return {
    product_id: String(product.id),
    developer_id: String(seller.developer.id),
    developer_key: seller.developer.secretKey,
    store_id: String(seller.store.id),
    user_id: String(person.id),
    email: person.email,
    event_id: String(events[0].id),
  }
}
