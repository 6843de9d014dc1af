import { extname } from 'node:path'
import type { UtcTime } from '../../lib/time.ts'
import { NoExport } from '../files/manifest.ts'
import { readLines } from '../files/read-file.ts'
import { kind, text, type Column, type Kind, type Values } from '../kinds/column.ts'
import { kindOf } from '../kinds/kinds.ts'
import { TOKEN_RULES, withToken } from '../kinds/method-token.ts'
import { readRow } from '../read-row.ts'
import type { Sent } from './client.ts'
import { id as idOf } from './field-maps.ts'

const PART = 500

/** What a subscription is renewed with here: a method that is here, or one that comes with it. */
export interface Renewed {
  /** Null: as the other server calls it, or as the subscription. */
  readonly methodId: number | null
  readonly gateway: string
  /** The row of the method without what its subscription says; null: it is here. */
  readonly method: Values | null
}

/** Subscriptions that this server renews, by id. */
export type RenewedHere = ReadonlyMap<number, Renewed>

const { id, gateway, kind: kindOfMethod, ...rest } = kindOf('payment_methods').columns
const SAID_BY_SUBSCRIPTION = ['product_id', 'user_id', 'environment', 'created', 'updated']
const REFERENCE: Column = { type: 'integer', min: 1, max: 10 ** 15 - 1 }

/** A line of the file: the method of a subscription, which is named by its id there. */
const methodsBy = (subscription: Column): Kind =>
  kind({
    table: 'payment_methods',
    name: 'payment methods',
    says: 'methods of subscriptions that another server has told',
    key: ['subscription_id'],
    columns: {
      subscription_id: subscription,
      ...(id && { id: { ...id, null: true } }),
      ...(gateway && { gateway }),
      ...(kindOfMethod && { kind: kindOfMethod }),
      ...Object.fromEntries(Object.entries(rest).filter(([name]) => !SAID_BY_SUBSCRIPTION.includes(name))),
    },
    told: withToken,
    rules: TOKEN_RULES,
  })

const METHODS = methodsBy(REFERENCE)
/** Platforms have numbers, or texts such as `sub_…`. */
const OF_PLATFORM = methodsBy(text(255))

/**
 * The methods of payment of subscriptions out of a file of JSON lines or CSV, as gateways hand them over: one line a
 * subscription. A method without an id has the one that the server tells, or that of its subscription. `NoExport` names the first line that is wrong.
 */
export const readMethods = async (file: string): Promise<Map<number, Renewed>> =>
  new Map(Array.from(await readAll(file, METHODS), ([of, method]) => [Number(of), method]))

/** The methods of payment out of such a file (`readMethods`) for a platform, by what that calls its subscriptions, be it a number or a text. */
export const readMethodsOfPlatform = (file: string): Promise<Map<string, Renewed>> =>
  readAll(file, OF_PLATFORM)

async function readAll(file: string, kindOfLine: Kind): Promise<Map<string, Renewed>> {
  const found = new Map<string, Renewed>()
  const format = extname(file).toLowerCase() === '.csv' ? 'csv' : 'jsonl'
  for await (const lines of readLines(file, format, kindOfLine, PART)) {
    for (const { line, given } of lines) {
      const { row, wrong } = readRow(kindOfLine, kindOfLine === OF_PLATFORM ? named(given) : given)
      const [first] = wrong
      if (first) throw new NoExport(`${file} line ${line}: ${first.column ?? 'it'} ${first.message}.`)
      const { subscription_id: of, id: own, ...method } = row
      if (found.has(String(of)))
        throw new NoExport(`${file} line ${line}: subscription_id is in a line before already.`)
      const methodId = typeof own === 'number' ? own : null
      found.set(String(of), { methodId, gateway: String(method['gateway']), method })
    }
  }
  return found
}

/** In JSON an id may be a number. */
const named = (given: unknown): unknown => {
  const subscription = (given as Row | null)?.['subscription_id']
  return typeof subscription === 'number'
    ? { ...(given as Row), subscription_id: String(subscription) }
    : given
}

/** How many methods are of subscriptions that there are not: nothing is renewed by them. */
export const countUnknown = (methods: RenewedHere, subscriptions: ReadonlySet<number>): number =>
  [...methods.keys()].filter((of) => !subscriptions.has(of)).length

type Row = Readonly<Record<string, unknown>>

interface Told {
  /** The subscription as the server has it. */
  readonly sent: Sent
  readonly now: UtcTime
}

/**
 * A subscription that this server renews from its next payment on. One that is due already is left to the server that it
 * comes from, which may be charging it now, unless it was renewed here before; so is one without a license, for which
 * there is nothing to renew here, and its money would be given back.
 */
export function renewedHere(row: Row, renewed: Renewed | undefined, { sent, now }: Told): Row {
  if (!renewed || row['canceled_at'] !== null || row['next_payment'] === null) return row
  if ((row['license_id'] ?? null) === null) return row
  if (renewed.method !== null && String(row['next_payment']) <= now) return row
  const { methodId, gateway: by } = renewed
  return {
    ...row,
    payment_method_id: methodId ?? idOf(sent['user_card_id']) ?? row['id'],
    gateway: by,
    is_elsewhere: false,
    due_at: row['next_payment'],
  }
}

/** The row of the method that comes with a subscription. */
export function methodRow(row: Row, method: Values): Row {
  const { payment_method_id: id, product_id, user_id, environment, created } = row
  return { ...method, id, product_id, user_id, environment, created, updated: null }
}
