import { hash } from 'node:crypto'
import { fold } from '../../lib/fold.ts'
import { MOVED } from '../../licensing/activation/moved-site-rows.ts'
import { isLocalAddress } from '../../licensing/installs/local-hosts.ts'
import { placeOf } from '../../licensing/installs/site.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Value } from '../kinds/column.ts'
import { noticesOf, paidElsewhere } from '../server/to-rows.ts'
import { renewedHere, type RenewedHere } from '../server/methods.ts'
import { leave, type Draft, type Drafts } from './build.ts'
import { idOf, type Space } from './ids.ts'

/** What rows are finished with beside what the platform says. */
export interface Finishing {
  readonly space: Space
  readonly storeId: number
  readonly now: UtcTime
  /** Persons and sites that are here already, by folded address and by address. */
  readonly persons: ReadonlyMap<string, number>
  readonly sites: ReadonlyMap<string, number>
  readonly renewed: RenewedHere
  /** Subscriptions whose method comes along are renewed here. */
  readonly renewsHere: boolean
}

/** Adds to rows what does not stand in them: what a person, an install or a period is here. */
export function finish(drafts: Drafts, finishing: Finishing): void {
  const of = (kind: string) => drafts.rows.get(kind) ?? []
  const aliases = mergePersons(drafts, finishing.persons)
  for (const kind of ['licenses', 'subscriptions', 'payments'])
    for (const { row } of of(kind)) alias(row, aliases)
  finishOffers(of, finishing)
  for (const { row } of of('licenses')) {
    row['is_brought'] = true
    Object.assign(row, noticesOf((row['expiration'] ?? null) as UtcTime | null, finishing.now))
  }
  finishInstalls(drafts, finishing)
  for (const draft of of('subscriptions')) finishSubscription(draft, finishing)
  finishPayments(drafts)
}

function finishOffers(of: (kind: string) => readonly Draft[], { storeId }: Finishing): void {
  for (const { row } of of('products')) row['store_id'] = storeId
  namePlans(of('plans'))
  const plans = byId(of('plans'))
  for (const { row } of of('pricing'))
    row['product_id'] = plans.get(Number(row['plan_id']))?.['product_id'] ?? null
  for (const { row } of of('coupons')) row['store_id'] = (row['product_id'] ?? null) === null ? storeId : null
}

const byId = (drafts: readonly Draft[]) => new Map(drafts.map(({ id, row }) => [id, row]))

function alias(row: Record<string, Value>, aliases: ReadonlyMap<number, number>): void {
  const user = row['user_id']
  if (typeof user === 'number') row['user_id'] = aliases.get(user) ?? user
}

/**
 * One person for each address, however it is written: the one that is here, or the first that the platform had. Answers
 * whom each of the others is.
 */
function mergePersons({ rows }: Drafts, persons: ReadonlyMap<string, number>): ReadonlyMap<number, number> {
  const groups = Map.groupBy(rows.get('users') ?? [], ({ row }) => fold(String(row['email'])))
  const kept: Draft[] = []
  const aliases = new Map<number, number>()
  for (const [address, drafts] of groups) {
    const here = persons.get(address)
    const [first] = drafts.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    const draft = here === undefined ? first : drafts.find(({ id }) => id === here)
    if (draft) kept.push(draft)
    const id = here ?? first?.id
    if (id !== undefined) for (const one of drafts) aliases.set(one.id, id)
  }
  rows.set('users', kept)
  return aliases
}

const orderOf = ({ row, id }: Draft) => `${String(row['created'])} ${id}`

/** Plans of a product differ in their names. */
function namePlans(plans: readonly Draft[]): void {
  const seen = new Set<string>()
  for (const { id, row } of plans.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))) {
    const name = `${row['product_id']} ${row['name']}`
    if (seen.has(name)) row['name'] = `${String(row['name']).slice(0, 80)}-${id}`
    seen.add(name)
  }
}

/** A site that a license is active on, once for each license, however often the platform has it. */
function finishInstalls(drafts: Drafts, { space, sites }: Finishing): void {
  const licenses = byId(drafts.rows.get('licenses') ?? [])
  const made = new Map<number, Draft>()
  for (const draft of drafts.rows.get('installs') ?? []) {
    const license = licenses.get(Number(draft.row['license_id']))
    if (!license) {
      leave(drafts, 'installs', draft.given, [
        'license_id',
        'unknown_reference',
        'names no license that comes',
      ])
      continue
    }
    const site = siteAddressOf(String(draft.beside['address']))
    const id = idOf(space, 'installs', `${license['id']} ${site}`)
    Object.assign(draft.row, ofLicense(license), placed(draft), {
      id,
      site_id: sites.get(site) ?? idOf(space, 'sites', site),
      uid: MOVED + hash('sha256', String(id), 'hex').slice(0, 40),
    })
    const whole = { ...draft, id, beside: { site } }
    const before = made.get(id)
    if (before === undefined || orderOf(whole) < orderOf(before)) made.set(id, whole)
  }
  drafts.rows.set('installs', [...made.values()])
}

const ofLicense = ({ product_id, user_id = null, plan_id, environment = 0 }: Draft['row']) => ({
  product_id,
  user_id,
  plan_id,
  environment,
  is_premium: true,
})

function placed({ row, beside }: Draft) {
  const said = String(beside['address'])
  const { host } = placeIn(said)
  const url = host === null ? null : urlOf(said)
  const { title = host === null ? said : null, version = '' } = row
  return {
    url,
    host,
    title,
    version,
    counted_as: url !== null && isLocalAddress(url) ? 'local' : 'production',
  }
}

/** What an address is of a site; the name of a device has no host. */
const placeIn = (said: string) => placeOf(/[.]|localhost/.test(said) && !/\s/.test(said) ? said : null)

/** The address of the site that a platform has a license active on; of a device its name. */
export const siteAddressOf = (said: string): string => placeIn(said).address ?? said

const urlOf = (address: string) => (/^https?:\/\//i.test(address) ? address : `http://${address}`)

function finishSubscription(
  { id, row, beside }: Draft,
  { space, now, renewed, renewsHere }: Finishing,
): void {
  const next = (row['next_payment'] ?? null) as UtcTime | null
  const cycle = Number(row['billing_cycle'])
  Object.assign(row, paidElsewhere(row['created'] as UtcTime, next, cycle))
  const token = beside['method_token'] ?? null
  const own =
    token !== null && renewsHere
      ? {
          methodId: idOf(space, 'methods', String(id)),
          gateway: String(beside['method_gateway']),
          method: {},
        }
      : undefined
  Object.assign(row, renewedHere(row, renewed.get(id) ?? own, { sent: {}, now }))
}

/** What a payment is of, and its parts: the total is with tax. */
function finishPayments({ rows }: Drafts): void {
  const subscriptions = byId(rows.get('subscriptions') ?? [])
  for (const { row, beside } of rows.get('payments') ?? []) {
    const subscription = subscriptions.get(Number(row['subscription_id']))
    Object.assign(row, partsOf(Number(beside['total']), Number(row['tax'])), {
      type: 'payment',
      license_id: row['license_id'] ?? subscription?.['license_id'] ?? null,
      billing_cycle: row['billing_cycle'] ?? subscription?.['billing_cycle'] ?? 0,
      processed_at: row['processed_at'] ?? row['created'],
    })
  }
}

function partsOf(total: number, tax: number) {
  const gross = total - tax
  const rate = gross > 0 && tax > 0 ? Math.min(1_000_000, Math.round((tax * 1_000_000) / gross)) : 0
  return { gross, tax, tax_rate: rate }
}
