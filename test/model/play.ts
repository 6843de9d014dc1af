import assert from 'node:assert/strict'
import { DAY, toUtcTime } from '../../src/lib/time.ts'
import type { TestApp } from '../app.ts'
import { Random } from './random.ts'
import { Reference, type ModelInstall, type ModelLicense, type Outcome } from './reference.ts'

/** What a game is played with: offers of one product and of a bundle that opens it, and users of both. */
export interface Board {
  readonly offers: readonly {
    readonly path: string
    readonly token: string
    readonly type: 0 | 1
    readonly isBundle: boolean
  }[]
  readonly users: readonly { readonly id: string; readonly email: string }[]
}

const WEIGHTS = {
  activate: 50,
  put: 10,
  deactivate: 14,
  verify: 8,
  quota: 7,
  owner: 4,
  freeLocal: 3,
  expiration: 5,
  time: 4,
  deactivateAll: 2,
  cancel: 2,
  issue: 3,
} as const

const UIDS = Array.from({ length: 12 }, (_, n) => `machine-${n}`.padEnd(32, '0'))
const URLS = [
  'https://shop.com',
  'https://www.shop.com/blog',
  'https://a.shop.com',
  'https://b.shop.com',
  'https://c.b.shop.com',
  'https://other.net',
  'https://x.other.net',
  'http://localhost:8080',
  'https://dev.shop.com',
  'https://shop.test',
]
const QUOTAS = [1, 2, 3, 5, null]
const LIVE = 6

/** Plays random operations against the server and the reference; every step must leave both alike. */
export class Game {
  readonly #app: TestApp
  readonly #board: Board
  readonly #random: Random
  readonly #model: Reference
  readonly #ids = new Map<ModelInstall, string>()

  constructor(app: TestApp, board: Board, seed: number) {
    this.#app = app
    this.#board = board
    this.#random = new Random(seed)
    this.#model = new Reference(app.ctx.clock.real())
  }

  async play(steps: number): Promise<void> {
    for (let step = 1; step <= steps; step++) {
      const said = await this.#step()
      await this.#compare(`step ${step}: ${said}`)
    }
  }

  async #step(): Promise<string> {
    const live = this.#model.licenses.filter(({ cancelled }) => !cancelled)
    const move = live.length < LIVE ? 'issue' : this.#random.weighted(WEIGHTS)
    if (this.#model.licenses.length === 0) return this.#issue()
    const license = this.#random.pick(
      this.#random.next() < 0.9 && live.length > 0 ? live : this.#model.licenses,
    )
    return this.#moves[move](license)
  }

  readonly #moves: Readonly<
    Record<keyof typeof WEIGHTS, (license: ModelLicense) => Promise<string> | string>
  > = {
    activate: (license) => this.#activate(license),
    put: (license) => this.#put(license),
    deactivate: (license) => this.#deactivate(license),
    verify: (license) => this.#verify(license),
    quota: (license) => this.#change('quota', license),
    owner: (license) => this.#change('owner', license),
    freeLocal: (license) => this.#change('freeLocal', license),
    expiration: (license) => this.#change('expiration', license),
    time: () => this.#moveTime(),
    deactivateAll: (license) => {
      this.#model.deactivateAll(license)
      return this.#seller('DELETE', license, '/installs.json')
    },
    cancel: (license) => {
      for (const one of this.#model.family(license)) one.cancelled = true
      return this.#seller('DELETE', license, '.json')
    },
    issue: () => this.#issue(),
  }

  async #issue(): Promise<string> {
    const offer = this.#random.pick(this.#board.offers)
    const user = this.#random.next() < 0.2 ? null : this.#random.pick(this.#board.users)
    const reply = await this.#app.call('POST', offer.path, {
      token: offer.token,
      body: { period: 12, ...(user && { email: user.email }) },
    })
    assert.equal(reply.status, 200, reply.text)
    const { license } = reply.json
    const given = {
      id: license.id,
      key: license.secret_key,
      owner: user && user.id,
      quota: license.quota,
      expires: Date.parse(`${license.expiration.replace(' ', 'T')}Z`),
      cancelled: false,
      freeLocal: license.is_free_localhost,
    }
    const child = { ...given, id: '', type: 0 as const, child: null }
    this.#model.licenses.push({ ...given, type: offer.type, child: offer.isBundle ? child : null })
    return `license ${license.id} of ${given.owner} with quota ${license.quota}`
  }

  async #activate(license: ModelLicense): Promise<string> {
    const [uid, url] = [this.#random.pick(UIDS), this.#random.pick(URLS)]
    const expected = this.#model.activate(license, uid, url)
    const reply = await this.#open('activate', { uid, url, license_key: license.key })
    const said = `activate ${license.id} on ${uid.slice(0, 10)} at ${url}`
    this.#agree(said, expected, reply)
    const install = this.#model.installs.get(`${license.owner} ${uid}`)
    if (install && expected === 'ok') this.#ids.set(install, reply.json.install_id)
    return `${said}: ${expected}`
  }

  /** The seller puts a license on any install, by its key. */
  async #put(license: ModelLicense): Promise<string> {
    const install = this.#anyInstall(license, 0.1)
    if (!install) return 'nothing to put it on'
    const expected = this.#model.put(license, install)
    const path = `/products/${this.#app.seller.product.id}/installs/${this.#ids.get(install)}.json`
    const said = `put ${license.id} on ${install.uid.slice(0, 10)} of ${install.owner}`
    this.#agree(said, expected, await this.#app.call('PUT', path, { body: { license_key: license.key } }))
    return `${said}: ${expected}`
  }

  async #deactivate(license: ModelLicense): Promise<string> {
    const install = this.#anyInstall(license)
    if (!install) return 'nothing to deactivate'
    const expected = this.#model.deactivate(license, install)
    const body = { uid: install.uid, install_id: Number(this.#ids.get(install)), license_key: license.key }
    const said = `deactivate ${license.id} on ${install.uid.slice(0, 10)} of ${install.owner}`
    this.#agree(said, expected, await this.#open('deactivate', body))
    return `${said}: ${expected}`
  }

  async #verify(license: ModelLicense): Promise<string> {
    const install = this.#anyInstall(license)
    if (!install) return 'nothing to verify'
    const query = `uid=${install.uid}&license_key=${license.key}`
    const { product } = this.#app.seller
    const path = `/products/${product.id}/installs/${this.#ids.get(install)}/license.json?${query}`
    const said = `verify ${license.id} on ${install.uid.slice(0, 10)} of ${install.owner}`
    this.#agree(
      said,
      this.#model.verify(license, install),
      await this.#app.call('GET', path, { token: null }),
    )
    return said
  }

  /** So often one that the license is active on. */
  #anyInstall(license: ModelLicense, share = 0.8): ModelInstall | undefined {
    const on = this.#model.on(license.child ?? license)
    const all = [...this.#ids.keys()]
    if (on.length > 0 && this.#random.next() < share) return this.#random.pick(on)
    return all.length > 0 ? this.#random.pick(all) : undefined
  }

  #moveTime(): string {
    const days = 1 + this.#random.below(60)
    this.#app.ctx.clock.advance(days * DAY)
    this.#model.now += days * DAY
    return `${days} days later`
  }

  async #change(
    what: 'quota' | 'owner' | 'freeLocal' | 'expiration',
    license: ModelLicense,
  ): Promise<string> {
    const family = this.#model.family(license)
    if (what === 'quota') {
      const quota = this.#random.pick(QUOTAS)
      for (const one of family) one.quota = quota
      return this.#seller('PUT', license, '.json', { quota })
    }
    if (what === 'owner') {
      const id = this.#random.next() < 0.2 ? null : this.#random.pick(this.#board.users).id
      for (const one of family) one.owner = id
      return this.#seller('PUT', license, '.json', { new_user_id: id })
    }
    if (what === 'freeLocal') {
      const freeLocal = this.#random.next() < 0.5
      for (const one of family) one.freeLocal = freeLocal
      return this.#seller('PUT', license, '.json', { is_free_localhost: freeLocal })
    }
    const isLifetime = this.#random.next() < 0.2
    const expires = isLifetime ? null : this.#model.now + (this.#random.below(200) - 20) * DAY
    for (const one of family) one.expires = expires
    const expiration = expires === null ? null : toUtcTime(expires)
    return this.#seller('PUT', license, '.json', { expiration })
  }

  async #seller(
    method: 'PUT' | 'DELETE',
    license: ModelLicense,
    rest: string,
    body?: object,
  ): Promise<string> {
    const { id, token } = license.child ? this.#bundle() : this.#app.seller.product
    const path = `/products/${id}/licenses/${license.id}${rest}`
    const reply = await this.#app.call(method, path, { token, ...(body && { body }) })
    const said = `${method} license ${license.id}${rest} ${JSON.stringify(body ?? {})}`
    assert.equal(reply.status, 200, `${said}: ${reply.text}`)
    return said
  }

  #bundle(): { readonly id: number; readonly token: string } {
    const offer = this.#board.offers.find(({ isBundle }) => isBundle)
    if (!offer) throw new Error('The board has a bundle.')
    return { id: Number(offer.path.split('/')[2]), token: offer.token }
  }

  #open(what: 'activate' | 'deactivate', body: object) {
    const path = `/products/${this.#app.seller.product.id}/licenses/${what}.json`
    return this.#app.call('POST', path, { token: null, body })
  }

  #agree(
    said: string,
    expected: Outcome,
    { json, text }: { readonly json: unknown; readonly text: string },
  ): void {
    const { error } = json as { error?: { code: string } }
    assert.equal(error?.code ?? 'ok', expected, `${said}: ${text}`)
  }

  /** The owners, the counters and the installs of the server are those of the reference. */
  async #compare(said: string): Promise<void> {
    const { db } = this.#app.ctx
    const licenses = await db
      .selectFrom('licenses')
      .select(['id', 'parent_license_id', 'user_id', 'activated', 'activated_local'])
      .execute()
    const installs = await db.selectFrom('installs').select(['id', 'license_id', 'counted_as']).execute()
    const names = new Map<ModelLicense, number>()
    for (const license of this.#model.licenses) {
      const children = licenses.filter(({ parent_license_id: parent }) => String(parent) === license.id)
      names.set(license, Number(license.id))
      if (license.child && children[0]) names.set(license.child, children[0].id)
    }
    const found = licenses.map(({ id, user_id: owner, activated, activated_local: local }) => ({
      id,
      owner: owner === null ? null : String(owner),
      activated,
      local,
    }))
    const expected = [...names].map(([license, id]) => ({
      id,
      owner: license.owner,
      activated: this.#model.count(license, 'production'),
      local: this.#model.count(license, 'local'),
    }))
    const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
    assert.deepEqual(found.toSorted(byId), expected.toSorted(byId), said)
    const shown = [...this.#model.installs.values()].map((install) => ({
      id: Number(this.#ids.get(install)),
      license_id: install.license ? (names.get(install.license) ?? 0) : null,
      counted_as: install.counted,
    }))
    assert.deepEqual(installs.map((row) => ({ ...row })).toSorted(byId), shown.toSorted(byId), said)
  }
}
