import type { Mount } from '../../src/http/mounts.ts'
import type { ScopeKind } from '../../src/access/scope.ts'
import { ROLES } from '../../src/access/roles.ts'
import { OPT_IN } from '../opt-in.ts'
import { bodyOf } from '../security/examples.ts'
import { jsonBody, type Call } from '../security/client.ts'
import { GUARDED, MOUNTS, requestTo, sentTo, withQuery } from '../security/requests.ts'
import { propertiesOf } from '../security/values.ts'
import type { Ids } from '../security/world.ts'
import type { Random } from './random.ts'
import type { Holder } from './reach-holder.ts'
import type { Board, Player } from './reach-world.ts'

/** The table of what a name in an address or an argument stands for. */
const TABLES: Readonly<Record<string, string>> = {
  bank_account_id: 'bank_accounts',
  cart_id: 'carts',
  coupon_id: 'coupons',
  event_id: 'events',
  feature_id: 'features',
  install_id: 'installs',
  license_id: 'licenses',
  member_id: 'members',
  payment_id: 'payments',
  plan_id: 'plans',
  pricing_id: 'pricing',
  product_id: 'products',
  review_id: 'reviews',
  store_id: 'stores',
  subscription_id: 'subscriptions',
  tag_id: 'deployments',
  token_id: 'api_tokens',
  user_id: 'users',
  webhook_id: 'webhooks',
}

/** Where each side calls. */
export const KINDS: Readonly<Record<Holder['side'], readonly ScopeKind[]>> = {
  account: ['developer', 'account'],
  store: ['store', 'store_account'],
  product: ['product'],
  public: ['product', 'root'],
  person: ['user'],
  own: ['install'],
  nobody: ['product', 'root', 'install'],
}

/** What an address begins with, by its scope. */
export const PREFIX: Readonly<Record<ScopeKind, readonly string[]>> = {
  product: ['product_id'],
  developer: ['developer_id', 'product_id'],
  store: ['store_id', 'product_id'],
  user: ['user_id'],
  install: ['install_id'],
  account: ['developer_id'],
  store_account: ['store_id'],
  root: [],
}

/** What would end a credential that the game goes on with, or wants what no example has. */
const isPlayed = ({ op, served }: Mount): boolean =>
  served &&
  !GUARDED.has(op.id) &&
  !/renew-|revoke-api-token|remove-member|update-member|change-password|upload|advance-sandbox|create-deployment/.test(
    op.id,
  ) &&
  Object.values(op.files ?? {}).every(({ goesToStorage }) => goesToStorage !== true)

const PLAYED = MOUNTS.filter(isPlayed)
export const BY_KIND = Map.groupBy(PLAYED, ({ kind }) => kind)
/** Removes or ends something: seldom, so that there is something to ask for. */
const isEnd = ({ method, op }: Mount) =>
  method === 'DELETE' || /cancel|deactivate|uninstall|ownership/.test(op.id)

/** A page beside the operations (`docs/opt-in.md`). */
const OPTING_IN = {
  kind: 'product',
  op: { id: 'opt-in' },
  method: 'POST',
  path: OPT_IN,
  served: true,
} as unknown as Mount

export interface Move {
  readonly player: Player
  readonly mount: Mount
  readonly call: Call
  /** What the player says beside the address. */
  readonly said: string
}

/** Makes random calls: of any kind of player, to any operation, with ids of which some are anybody's. */
export class Moves {
  readonly #board: Board
  readonly #random: Random
  /** What players are: each kind plays as often as any other. */
  readonly #kinds: readonly string[]

  constructor(board: Board, random: Random) {
    this.#board = board
    this.#random = random
    this.#kinds = [...new Set(board.players.map(({ name }) => name.split(' ')[0] ?? ''))]
  }

  #chance = (share: number): boolean => this.#random.next() < share

  next(): Move {
    const { players, places } = this.#board
    const kind = this.#random.pick(this.#kinds)
    const player = this.#random.pick(players.filter(({ name }) => name.startsWith(kind)))
    if (player.side === 'nobody' && this.#chance(0.15)) return this.#optIn(player)
    const mount = this.#mount(player)
    const ids = this.#mixed({ ...this.#random.pick(places), ...player.own, ...player.knows })
    const inPath = { ...ids }
    for (const name of PREFIX[mount.kind]) {
      if (player.own[name] !== undefined && this.#chance(name === 'product_id' ? 0.85 : 0.95))
        inPath[name] = player.own[name]
    }
    const { headers, body, said } = this.#body(mount, ids)
    const { path } = requestTo({ ...mount, op: { ...mount.op, body: undefined } as never }, ids, inPath)
    const query = this.#query(mount, ids)
    const call = { method: mount.method, path: query === '' ? path : withQuery(path, query), headers, body }
    return {
      player,
      mount,
      call: strip(call),
      said: `${said} ${decodeURIComponent(call.path.split('?')[1] ?? '')}`,
    }
  }

  /** A site connects with an address, known or not, as clients do. */
  #optIn(player: Player): Move {
    const { mirror } = this.#board
    const known = mirror.row('users', Number(mirror.some('users', this.#random.next())))
    const email = this.#chance(0.8)
      ? String(known?.['email'])
      : `new-${this.#random.below(1_000)}@example.com`
    const at = Number(mirror.some('installs', this.#random.next()))
    const uid = this.#chance(0.5)
      ? String(this.#random.below(1_000_000_000)).padEnd(32, 'a')
      : mirror.row('installs', at)?.['uid']
    return connect(player, email, String(uid))
  }

  #mount(player: Player): Mount {
    for (;;) {
      const kinds = player.kinds ?? KINDS[player.side]
      const mounts = this.#chance(0.95) ? (BY_KIND.get(this.#random.pick(kinds)) ?? []) : PLAYED
      const mount = this.#random.pick(mounts)
      if (!isEnd(mount) || this.#chance(0.1)) return mount
    }
  }

  /** Ids of which some are anybody's. */
  #mixed(ids: Ids): Record<string, string> {
    const mixed: Record<string, string> = { ...ids }
    for (const [name, table] of Object.entries(TABLES)) {
      if (!this.#chance(0.35)) continue
      const other = this.#board.mirror.some(table, this.#random.next())
      if (other !== undefined) mixed[name] = other
    }
    for (const name of ['license_key', 'uid']) {
      const other = this.#random.pick(this.#board.places)[name]
      if (other !== undefined && this.#chance(0.15)) mixed[name] = other
    }
    return mixed
  }

  #body({ op, method }: Mount, ids: Ids) {
    if (!op.body || method === 'GET') return { said: '', headers: undefined, body: undefined }
    const known = propertiesOf(op.body)
      .map(([name]) => name)
      .filter((name) => name in ids && this.#chance(0.3))
    const values: Record<string, unknown> = {
      ...bodyOf(op, ids),
      ...Object.fromEntries(known.map((name) => [name, ids[name]])),
    }
    if ('role' in values) values['role'] = this.#random.pick(ROLES)
    const { headers, body } = method === 'DELETE' ? jsonBody(values) : sentTo(op, values)
    return { headers, body, said: JSON.stringify(values) }
  }

  #query({ op }: Mount, ids: Ids): string {
    const query = new URLSearchParams()
    for (const [name, schema] of propertiesOf(op.query)) {
      const { type } = schema as { type?: string }
      if (name === 'count') query.set(name, '50')
      else if (!this.#chance(0.25)) continue
      else if (ids[name] !== undefined) query.set(name, ids[name])
      else if (name === 'search')
        query.set(name, ids[this.#random.pick(['email', 'license_id', 'user_id'])] ?? '')
      else if (name === 'ids') query.set(name, [ids['license_id'], ids['install_id']].join(','))
      else if (/^is_|^(extended|enriched|all|show_)/.test(name) || type === 'boolean') query.set(name, 'true')
    }
    return String(query)
  }
}

/** A site with a uid connects with an address, and with the key of a license where it has one. */
export function connect(player: Player, email: string, uid: string, key?: string): Move {
  const form = new URLSearchParams({
    plugin_id: player.own['product_id'] ?? '',
    plugin_public_key: player.own['product_public_key'] ?? '',
    format: 'json',
    return_url: 'https://site.example.org/',
    user_firstname: 'Olive',
    user_email: email,
    site_uid: uid,
    site_url: 'https://site.example.org',
    is_active: '1',
    ...(key !== undefined && { license_key: key }),
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const call = { method: 'POST', path: OPT_IN, headers, body: String(form) }
  return { player, mount: OPTING_IN, call, said: decodeURIComponent(String(form)) }
}

const strip = ({
  headers,
  body,
  ...call
}: { [K in keyof Call]: Call[K] | undefined } & { method: string; path: string }): Call => ({
  ...call,
  ...(headers && { headers }),
  ...(body !== undefined && { body }),
})
