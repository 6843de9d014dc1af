import { productsOf } from '../db/family.ts'
import type { Reader, Writer } from '../db/database.ts'
import { keeping } from '../db/hold.ts'
import { inList } from '../db/in-list.ts'
import { unscoped } from '../db/scoped.ts'
import { isLawful, isPersons, type PortalPart } from './portal-parts.ts'
import type { Scope } from './scope.ts'

const BOUND = 'the products by whose switches the visit of their user is bound'

/** What a product has switched off in the portal, and whom its buyers write to; null: nobody. */
export interface Switched {
  readonly id: number
  readonly off: ReadonlySet<PortalPart>
  readonly support: string | null
}

interface Person {
  readonly developerId: number
  readonly userId: number
}

/** The products that a person is of at a seller. */
const idsOfPerson = (db: Reader, { developerId, userId }: Person) =>
  unscoped(db, BOUND)
    .selectFrom('product_users')
    .innerJoin('products', 'products.id', 'product_users.product_id')
    .select('products.id')
    .where('product_users.user_id', '=', userId)
    .where('products.developer_id', '=', developerId)
    .orderBy('products.id')
    .execute()

/** The switches of products, by their ids. What the law gives is on where there is no address to ask for it. */
export async function switchesOf(db: Reader, ids: readonly number[]): Promise<Map<number, Switched>> {
  const rows = await unscoped(db, BOUND)
    .selectFrom('products')
    .leftJoin('email_addresses as own', 'own.product_id', 'products.id')
    .leftJoin('email_addresses as inherited', (join) =>
      join
        .on((on) => on('inherited.store_id', '=', on.fn.coalesce('own.store_id', 'products.store_id')))
        .on('inherited.product_id', 'is', null),
    )
    .select(['products.id', 'products.portal_off'])
    .select(({ fn }) =>
      fn.coalesce('products.support_email', 'own.support', 'inherited.support').as('support'),
    )
    .where('products.id', 'in', inList(ids))
    .execute()
  return new Map(rows.map((row) => [row.id, switchedIn(row)]))
}

function switchedIn({
  id,
  portal_off: text,
  support,
}: {
  readonly id: number
  readonly portal_off: string
  readonly support: string | null
}): Switched {
  const off = (JSON.parse(text) as PortalPart[]).filter((part) => support !== null || !isLawful(part))
  return { id, off: new Set(off), support }
}

/** What is off about a person: what every product has off that the person is of. */
export async function switchedForPerson(db: Reader, person: Person): Promise<ReadonlySet<PortalPart>> {
  const ids = (await idsOfPerson(db, person)).map(({ id }) => id)
  return offInEach([...(await switchesOf(db, ids)).values()])
}

function offInEach(all: readonly Switched[]): ReadonlySet<PortalPart> {
  const [first, ...rest] = all
  const parts = [...(first?.off ?? [])].filter(isPersons)
  return new Set(parts.filter((part) => rest.every(({ off }) => off.has(part))))
}

interface Asked {
  readonly parts: readonly PortalPart[]
  /** Whether it is a list over the family of a product where the path names none. */
  readonly isList: boolean
}

/** What is off where a user of the portal calls, and whom to write to. */
export interface Bound {
  readonly off: ReadonlySet<PortalPart>
  readonly support: string | null
}

/**
 * What is off for a call of the portal: of its product, in a list of more of each of them, and what is about the person
 * of all that the person has. `isHeld`: nobody switches any of it before the transaction ends.
 */
export async function boundBy(
  db: Reader,
  scope: Scope,
  { parts, isList }: Asked,
  held: Writer | null,
): Promise<Bound> {
  const { developerId, userId } = scope
  const isOfPerson = userId !== null && parts.some(isPersons)
  const own = isList ? await productsOf(db, scope) : [scope.productId]
  const ofPerson = isOfPerson ? (await idsOfPerson(db, { developerId, userId })).map(({ id }) => id) : []
  const ids = [...new Set([...own, ...ofPerson])]
  if (held) await holdSwitches(held, ids)
  const found = await switchesOf(db, ids)
  const of = (some: readonly number[]) => some.flatMap((id) => found.get(id) ?? [])
  const ofProducts = of(own).flatMap(({ off }) => [...off].filter((part) => !isPersons(part)))
  const off = new Set([...ofProducts, ...offInEach(of(ofPerson))])
  return { off, support: found.get(scope.productId)?.support ?? null }
}

/** Has whoever would switch something wait until the transaction ends. */
const holdSwitches = (db: Writer, ids: readonly number[]) =>
  keeping(
    db,
    unscoped(db, BOUND)
      .selectFrom('products')
      .select('products.id')
      .where('products.id', 'in', inList(ids))
      .orderBy('products.id'),
  ).execute()
