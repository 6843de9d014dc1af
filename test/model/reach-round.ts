import type { Mount } from '../../src/http/mounts.ts'
import { propertiesOf } from '../security/values.ts'
import { jsonBody } from '../security/client.ts'
import { MOUNTS, pathOf, withQuery } from '../security/requests.ts'
import type { Ids } from '../security/world.ts'
import { BY_KIND, KINDS, PREFIX, connect, type Move } from './reach-moves.ts'
import type { Board, Player } from './reach-world.ts'

/** Every list and row, asked for once by each kind of player, and each person's address said once by nobody. */
export function* roundOf(board: Board): Generator<Move> {
  for (const player of onePerKind(board.players)) yield* asksOf(board, player)
  for (const player of board.players.filter(({ name }) => name.startsWith('nobody'))) {
    const places = board.places.filter((ids) => ids['product_id'] === player.own['product_id'])
    for (const { email = '', uid = '' } of places) yield connect(player, email, uid)
    yield* passOn(board, player, places)
  }
  for (const player of board.players.filter(({ side }) => side === 'person')) yield* beGiven(board, player)
}

/** A seller gives a person the license that another one bought, and puts it on the site of that person, who asks. */
function* beGiven({ players, places }: Board, player: Player): Generator<Move> {
  const ofProduct = places.filter((ids) => ids['product_id'] === player.own['product_id'])
  const own = ofProduct.find((ids) => ids['user_id'] === player.own['user_id'])
  const other = ofProduct.find((ids) => ids['user_id'] !== player.own['user_id'])
  const seller = players.find(({ side, productId }) => side === 'product' && productId === player.productId)
  if (!own || !other || !seller) throw new Error(`Nobody gives a license to ${player.name}.`)
  const ids = { ...own, license_id: other['license_id'] ?? '', license_key: other['license_key'] ?? '' }
  yield told(seller, 'licenses/update', { ids, body: { new_user_id: own['user_id'] } })
  yield told(seller, 'installations/activate-license', { ids, body: { license_key: ids.license_key } })
  for (const mount of BY_KIND.get('user') ?? [])
    if (mount.method === 'GET') yield ask(player, mount, { names: PREFIX.user, ids })
}

/** What a seller says to its product. */
function told(player: Player, id: string, { ids, body }: { ids: Ids; body: object }): Move {
  const mount = MOUNTS.find(({ op, kind }) => op.id === id && kind === 'product')
  if (!mount) throw new Error(`${id} is not served.`)
  const call = {
    method: mount.method,
    path: pathOf(mount.path, { ...ids, ...player.own }),
    ...jsonBody(body),
  }
  return { player, mount, call, said: JSON.stringify(body) }
}

/** A site shows one key of each person, takes the license off, and is named by who shows another key of that person. */
function* passOn({ mirror }: Board, player: Player, places: readonly Ids[]): Generator<Move> {
  const off = MOUNTS.find(({ op, kind }) => op.id === 'licenses/deactivate' && kind === 'product')
  const people = Map.groupBy(places, ({ user_id: id }) => id)
  for (const [[one = {}, other = {}], uid] of [...people.values()].map(
    (them, at) => [them, uidOf(at)] as const,
  )) {
    const { email = '', license_key: key } = one
    if (!off || other['license_key'] === undefined) continue
    yield connect(player, email, uid, key)
    const made = mirror.rows('installs').find((row) => row['uid'] === uid)
    const sent = { uid, license_key: key, install_id: String(made?.['id']) }
    const call = { method: off.method, path: pathOf(off.path, player.own), ...jsonBody(sent) }
    yield { player, mount: off, call, said: JSON.stringify(sent) }
    yield connect(player, email, uid, other['license_key'])
  }
}

const uidOf = (at: number): string => String(at).padEnd(32, 'b')

/** The first of each kind, and every role of a team. */
function onePerKind(players: readonly Player[]): Player[] {
  const kinds = new Map<string, Player>()
  for (const player of players) {
    const [kind = ''] = player.name.split(' ')
    const name = player.memberId === undefined ? kind : player.name
    if (!kinds.has(name)) kinds.set(name, player)
  }
  return [...kinds.values()]
}

/** What a player asks for: with its own ids, then with those of others, no address twice. */
function* asksOf({ places }: Board, player: Player): Generator<Move> {
  const isIts = (ids: Ids) =>
    Object.entries(player.own).every(
      ([name, id]) => !/^(developer|product|user)_id$/.test(name) || ids[name] === id,
    )
  const own = places.find(isIts) ?? {}
  const sets = [own, ...othersOf(places, own)]
  const kinds = player.kinds ?? KINDS[player.side]
  const mounts = kinds.flatMap((kind) => BY_KIND.get(kind) ?? []).filter(({ method }) => method === 'GET')
  const moves = mounts.flatMap((mount) =>
    sets.flatMap((ids) => prefixesOf(mount).map((names) => ask(player, mount, { names, ids }))),
  )
  yield* new Map(moves.map((move) => [move.call.path, move])).values()
}

/** Who calls stands in the path; a developer and a store name a product too, theirs or not. */
const prefixesOf = ({ kind }: Mount): readonly (readonly string[])[] =>
  PREFIX[kind].length > 1 ? [PREFIX[kind], PREFIX[kind].slice(0, 1)] : [PREFIX[kind]]

/** The nearest others: another license of the same user, another user, another product, another seller. */
function othersOf(places: readonly Ids[], own: Ids): Ids[] {
  const alike = ['user_id', 'product_id', 'developer_id']
  const found = [...alike, ''].map((_, step) =>
    places.find((ids) => {
      const isAlike = (name: string) => ids[name] === own[name]
      const differs = alike.slice(0, step)
      return ids !== own && !differs.some(isAlike) && alike.slice(step).every(isAlike)
    }),
  )
  return found.filter((ids) => ids !== undefined)
}

/** Asked with everything that makes a reply longer. */
function ask(player: Player, mount: Mount, { names, ids }: { names: readonly string[]; ids: Ids }): Move {
  const mine = Object.fromEntries(names.map((name) => [name, player.own[name] ?? ids[name] ?? '']))
  const longer = propertiesOf(mount.op.query)
    .filter(([name]) => /^(is_enriched|enriched|extended|count|all|show_pending)$/.test(name))
    .map(([name]): [string, string] => [name, name === 'count' ? '50' : 'true'])
  const query = String(new URLSearchParams(longer))
  const path = pathOf(mount.path, { ...ids, ...player.knows, ...mine })
  const call = { method: mount.method, path: query === '' ? path : withQuery(path, query) }
  return { player, mount, call, said: '' }
}
