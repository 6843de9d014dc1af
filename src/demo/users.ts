import type { TxContext } from '../context.ts'
import { systemScope, type Scope } from '../access/scope.ts'
import { DAY, SECOND } from '../lib/time.ts'
import { updateBilling } from '../people/users/billing.ts'
import { createUser } from '../people/users/create.ts'
import { updateUser } from '../people/users/service.ts'
import { DEMO_PEOPLE, type DemoPerson } from './people.ts'
import { asOf, type Demo, type DemoPart } from './part.ts'
import { findExamples } from '../catalogue/sellers/seller-rows.ts'

const PERIOD_MS = 540 * DAY
const DAY_SECONDS = DAY / SECOND

/** 50 users over two products: more of them lately, every fourth in both, a third with a billing address. */
export const demoUsers: DemoPart = {
  async examples({ db }, { productId }) {
    const found = await findExamples(db, productId)
    return found ? { user_id: String(found.user_id), event_id: String(found.event_id) } : null
  },
  async fill(tx, demo) {
    for (const [index, person] of DEMO_PEOPLE.entries()) await addPerson(tx, demo, person, index)
  },
}

async function addPerson(tx: TxContext, demo: Demo, person: DemoPerson, index: number): Promise<void> {
  const since = tx.clock.real() - daysBefore(index)
  const scopes = productsOf(demo, index).map((productId) => systemScope({ ...demo, productId }))
  for (const [place, scope] of scopes.entries()) {
    const id = await create(asOf(tx, since + (place * DAY) / 2), scope, person, index)
    if (place > 0) continue
    if (index % 6 === 2) await updateUser(asOf(tx, since + DAY), scope, id, { is_beta: true })
    if (person.address) await addBilling(asOf(tx, since + DAY / 4), scope, id, person)
  }
}

async function create(tx: TxContext, scope: Scope, person: DemoPerson, index: number): Promise<number> {
  const user = await createUser(
    tx,
    scope,
    {
      email: person.email,
      first: person.first,
      last: person.last,
      ip: index % 4 === 0 ? `2001:db8::${index.toString(16)}` : `203.0.113.${index + 1}`,
      is_verified: index % 5 !== 3,
      is_marketing_allowed: CONSENT[index % CONSENT.length] ?? null,
      send_verification_email: false,
      is_migration: false,
      source: 'freemius',
    },
    null,
  )
  return Number(user.id)
}

const CONSENT = [true, null, false, true, null, true, false]

async function addBilling(tx: TxContext, scope: Scope, id: number, person: DemoPerson): Promise<void> {
  if (!person.address) return
  const [street, city, zip, country, code] = person.address
  await updateBilling(tx, scope, id, {
    business_name: person.business,
    first: person.first,
    last: person.last,
    email: person.email,
    address_street: street,
    address_city: city,
    address_zip: zip,
    address_country: country,
    address_country_code: code,
  })
}

/** How long before the demo was made somebody came: further apart in the past, at a time of day of their own. */
export function daysBefore(index: number): number {
  const rest = 1 - (index + 1) / (DEMO_PEOPLE.length + 1)
  return Math.round(PERIOD_MS * rest ** 1.4) + ((index * 7919) % DAY_SECONDS) * SECOND + DAY
}

/** Every fourth is in both products. */
export function isUserOf(index: number, which: 'first' | 'other'): boolean {
  if (index % 4 === 1) return true
  return (index % 4 === 3) === (which === 'other')
}

const productsOf = ({ productId, otherProductId }: Demo, index: number): readonly number[] => [
  ...(isUserOf(index, 'first') ? [productId] : []),
  ...(isUserOf(index, 'other') ? [otherProductId] : []),
]
