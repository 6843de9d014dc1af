import { hashToken } from '../../src/lib/credentials.ts'
import type { Mount } from '../../src/http/mounts.ts'
import type { Answer, Call } from '../security/client.ts'
import { Random } from './random.ts'
import { KINDS, Moves, type Move } from './reach-moves.ts'
import type { Holder } from './reach-holder.ts'
import { Rules } from './reach-rules.ts'
import type { Row, Touch } from './reach-rows.ts'
import { roundOf } from './reach-round.ts'
import { Sales } from './reach-sales.ts'
import { startsOf } from './reach-tables.ts'
import { setUp, type Board, type Player } from './reach-world.ts'

const ADDRESSES = /[\w.-]+@example\.com/g

/** Lets random holders of credentials call random operations; no reply and no write may leave their reach. */
class Game {
  readonly #board: Board
  readonly #rules: Rules
  readonly #sales: Sales
  readonly #moves: Moves

  constructor(board: Board, seed: number) {
    this.#board = board
    this.#rules = new Rules(board.mirror)
    this.#sales = new Sales(board.mirror, this.#rules)
    this.#moves = new Moves(board, new Random(seed))
  }

  async play(steps: number): Promise<void> {
    for (let step = 1; step <= steps; step++) await this.#step(this.#moves.next(), `step ${step}`)
  }

  /** How many calls a round has; after it every table is looked at as the holders of reach own would read it. */
  async round(): Promise<number> {
    let step = 0
    for (const move of roundOf(this.#board)) await this.#step(move, `round ${++step}`)
    const { rows, beyond } = await startsOf(this.#board, this.#rules)
    if (rows === 0 || beyond.length > 0) throw new Error(`${rows} rows\n  ${beyond.join('\n  ')}`)
    return step
  }

  async #step(move: Move, name: string): Promise<void> {
    const { world, mirror } = this.#board
    const answer = await world.send(move.player.put(move.call))
    const touches = await mirror.catchUp(world.ctx.keys)
    const faults = this.#judge(move, answer, touches)
    if (faults.length > 0) throw new Error(`${name}: ${told(move, answer)}\n  ${faults.join('\n  ')}`)
  }

  #judge(move: Move, answer: Answer, touches: readonly Touch[]): string[] {
    const holder = this.#learn(move, answer, touches)
    const faults = this.#faultsOfReply(holder, move, answer, touches)
    for (const touch of touches) {
      if (!this.#rules.mayWrite(holder, touch)) {
        faults.push(
          `${touch.op} of ${touch.table} ${JSON.stringify(touch.row)} was ${JSON.stringify(touch.before)}`,
        )
      }
    }
    return faults
  }

  /** What the holder reaches for this call: with what it showed, and what it made. */
  #learn({ player, mount, call, said }: Move, { status }: Answer, touches: readonly Touch[]): Holder {
    const asked = this.#asked(player, mount, call)
    const isRefused = status >= 400 && asked === player
    // A refusal may name the license whose key was shown; the holder reaches no more by it.
    const holder = isRefused ? { ...player, licenses: new Set(player.licenses) } : asked
    for (const [key] of said.matchAll(/sk_[\w-]{29}/g)) {
      for (const { table, id } of this.#board.mirror.secretsOf(key)) {
        if (table === 'licenses' && this.#isSoldAt(call.path, id)) holder.licenses.add(id)
      }
    }
    if (isRefused) return holder
    for (const [email] of said.matchAll(ADDRESSES)) holder.said.add(email)
    this.#addMade(holder, touches)
    this.#addHad(holder, touches)
    this.#addNamed(holder, said, call.path, touches)
    this.#share(holder, touches)
    this.#addAddons(call, touches)
    return holder
  }

  /** A key that is said in a call to a product opens licenses of its family alone. */
  #isSoldAt(path: string, licenseId: number): boolean {
    const { mirror } = this.#board
    const [, product] = /\/products\/(\d+)/.exec(path) ?? []
    const sold = Number(mirror.row('licenses', licenseId)?.['product_id'])
    return product === undefined || mirror.familyOf(Number(product)).has(sold)
  }

  /** Who proves nothing reaches what it names in this call, and where nobody need be known everybody is nobody. */
  #asked(player: Player, { kind }: Mount, call: Call): Holder {
    const isSeller = ['account', 'store', 'product'].includes(player.side)
    if (isSeller && ![...KINDS[player.side], 'root'].includes(kind)) return this.#elsewhere(player, call)
    if (kind !== 'root' && !['public', 'nobody'].includes(player.side)) return player
    const side = kind === 'root' ? 'nobody' : player.side
    const buyer = Number(this.#checkoutOf(call)?.['user_id'] ?? 0) || undefined
    return { ...player, ...nothing(), side, buyer }
  }

  /** Where a site shows a key, a seller has what anybody has by it; and of another seller's product nothing else. */
  #elsewhere(player: Player, { path }: Call): Holder {
    const { mirror } = this.#board
    const [, install] = /\/installs\/(\d+)/.exec(path) ?? []
    const [, product = mirror.row('installs', Number(install))?.['product_id']] =
      /\/products\/(\d+)/.exec(path) ?? []
    const productId = Number(product ?? 0)
    const developerId = Number(mirror.row('products', productId)?.['developer_id'] ?? 0)
    const isOwn = developerId === player.developerId
    return { ...player, ...nothing(), ...(!isOwn && { side: 'nobody' as const, developerId, productId }) }
  }

  #addMade(holder: Holder, touches: readonly Touch[]): void {
    for (const { table, op, row } of touches) {
      const id = Number(row['id'] ?? 0)
      if (op !== 'insert') continue
      if (table === 'installs') holder.installs.add(id)
      if (table === 'licenses' && row['parent_license_id'] === null) holder.licenses.add(id)
    }
  }

  /** What was on an install of its own, before this call took it off. */
  #addHad(holder: Holder, touches: readonly Touch[]): void {
    for (const { table, before } of touches) {
      if (table !== 'installs' || before === undefined || before['license_id'] === null) continue
      const isOwn = holder.installs.has(Number(before['id'])) || before['user_id'] === holder.userId
      if (isOwn) holder.licenses.add(Number(before['license_id']))
    }
  }

  /** Who proves nothing names an install by its uid, and a checkout by its token. */
  #addNamed(holder: Holder, said: string, path: string, touches: readonly Touch[]): void {
    if (holder.side === 'own') return
    for (const row of this.#board.mirror.rows('installs')) {
      if (row['uid'] === null || !said.includes(String(row['uid']))) continue
      const id = Number(row['id'])
      const before = touches.find(({ table, row: { id: one } }) => table === 'installs' && one === id)?.before
      holder.installs.add(id)
      if (this.#rules.isOpenedBy(holder.licenses, before ?? row)) holder.opened?.add(id)
    }
    const license = this.#checkoutOf({ path })?.['license_id']
    if (typeof license === 'number') holder.licenses.add(license)
  }

  /** The checkout whose token stands in a path. */
  #checkoutOf({ path }: Pick<Call, 'path'>): Row | undefined {
    const [, token] = /\/sessions\/([\w-]+)/.exec(path) ?? []
    if (token === undefined) return undefined
    const hash = hashToken(token)
    return this.#board.mirror.rows('checkouts').find((row) => row['token_hash'] === hash)
  }

  /** The pair of an install has what was activated there by a key, whoever showed that. */
  #share(holder: Holder, touches: readonly Touch[]): void {
    const installs = touches.filter(({ table }) => table === 'installs').map(({ row }) => Number(row['id']))
    const others = this.#board.players.filter(({ side }) => side === 'own')
    for (const other of others) {
      if (!installs.some((id) => other.installs.has(id))) continue
      for (const id of holder.licenses) other.licenses.add(id)
    }
  }

  /** What is made for an install by anybody, such as that of an add-on on its site, its pair has too. */
  #addAddons({ path }: Call, touches: readonly Touch[]): void {
    const [, parent] = /\/installs\/(\d+)\/addons\//.exec(path) ?? []
    for (const other of this.#board.players) {
      if (other.side === 'own' && other.installs.has(Number(parent))) this.#addMade(other, touches)
    }
  }

  // oxlint-disable-next-line eslint/complexity -- one rule a line, in the order of their text
  #faultsOfReply(holder: Holder, move: Move, { status, text }: Answer, touches: readonly Touch[]): string[] {
    const made = new Set(touches.filter(({ op }) => op === 'insert').map(({ row }) => Number(row['id'] ?? 0)))
    const sent = status < 400 ? move.said : `${move.said} ${move.call.path}`
    const buyer = this.#checkoutOf(move.call)?.['email']
    const isNamed = (value: string) => sent.includes(value) || value === buyer
    const { mirror, amounts } = this.#board
    const faults: string[] = []
    for (const [digits] of text.matchAll(/(?<![\w.])\d{11,12}(?!\d|\.\d|@)/g)) {
      const row = mirror.named(Number(digits))
      if (!row || made.has(row.id) || isNamed(digits) || this.#rules.maySee(holder, row.table, row.id))
        continue
      if (row.table === 'licenses' && this.#isRecalled(move, row.id)) continue
      if (this.#sales.isNamedIn(text, holder, row)) continue
      faults.push(`${row.table} ${row.id} ${JSON.stringify(mirror.row(row.table, row.id))}`)
    }
    for (const [secret] of text.matchAll(/(?:sk|whsec)_[\w+/=-]{20,}/g)) {
      const owners = mirror.secretsOf(secret)
      if (owners.length === 0 || mirror.isMade(secret) || isNamed(secret)) continue
      if (owners.some((row) => made.has(row.id) || this.#rules.mayKnow(holder, row))) continue
      faults.push(`the secret of ${owners.map(({ table, id }) => `${table} ${id}`).join(', ')}`)
    }
    for (const [amount] of text.matchAll(/(?<![\w.])7\d{7}\.\d7(?!\d)/g)) {
      const row = amounts.get(amount)
      if (row && !this.#rules.mayCount(holder, row.table, row.id))
        faults.push(`the amount of ${row.table} ${row.id}`)
    }
    // Clients show who owns the license of a site before it changes hands (`docs/interface.md` 4.7).
    const isAsked = move.mount.op.id === 'keywright/list-license-owners' && holder.side === 'person'
    return isAsked ? [] : [...faults, ...this.#addresses(holder, text, isNamed)]
  }

  /** The events of an install tell which licenses it had. */
  #isRecalled({ mount, call }: Move, licenseId: number): boolean {
    const [, install] = /\/installs\/(\d+)\/events/.exec(call.path) ?? []
    return (
      mount.op.id === 'installations/list-events' && this.#board.mirror.hasRun(Number(install), licenseId)
    )
  }

  /** Whether an address stands in what a holder may see of somebody, whoever else has it. */
  #isWritten(holder: Holder, email: string): boolean {
    const isIn = (table: string) => (row: Row) =>
      row['email'] === email && this.#rules.maySee(holder, table, Number(row['id']))
    return ['billing', 'carts'].some((table) => this.#board.mirror.rows(table).some(isIn(table)))
  }

  #addresses(holder: Holder, text: string, isNamed: (value: string) => boolean): string[] {
    return [...new Set([...text.matchAll(ADDRESSES)].map(([email]) => email))]
      .filter((email) => !isNamed(email) && !holder.said.has(email))
      .filter((email) => {
        const those = (table: string) =>
          this.#board.mirror.rows(table).filter((row) => row['email'] === email)
        const users = those('users')
        const isTeams = those('developers').some((row) =>
          this.#rules.maySee(holder, 'developers', Number(row['id'])),
        )
        return (
          users.length > 0 &&
          !isTeams &&
          !users.some((row) => this.#rules.mayMail(holder, Number(row['id']))) &&
          !this.#isWritten(holder, email)
        )
      })
      .map((email) => `the address ${email}`)
  }
}

/** What a caller reaches that proves nothing, before it names anything. */
const nothing = () => ({
  licenses: new Set<number>(),
  installs: new Set<number>(),
  opened: new Set<number>(),
  said: new Set<string>(),
})

const told = ({ player, mount, call, said }: Move, { status, text }: Answer): string =>
  `${player.name} ${mount.op.id} ${call.method} ${call.path} ${said}: ${status} ${text.slice(0, 3_000)}`

/** Plays one game in a world of its own; a failure names the seed and the step, with which it comes again. */
export const playReach = (seed: number, steps: number): Promise<void> =>
  inWorld(`seed ${seed}`, (board) => new Game(board, seed).play(steps))

/** Every kind of player asks for everything once; how many calls that were. */
export const askForAll = (): Promise<number> => inWorld('round', (board) => new Game(board, 0).round())

async function inWorld<T>(name: string, play: (board: Board) => Promise<T>): Promise<T> {
  const board = await setUp(`model_reach_${name.replace(' ', '_')}`)
  try {
    return await play(board)
  } catch (error) {
    throw new Error(name, { cause: error })
  } finally {
    await board.world.close()
  }
}
