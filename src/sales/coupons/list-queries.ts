import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { countRows } from '../../db/count-rows.ts'
import type { Reader } from '../../db/database.ts'
import { fromNewest, listStart, type GoingOn } from '../../db/list-start.ts'
import type { ListSort } from '../../db/newest-by.ts'
import { unscoped } from '../../db/scoped.ts'
import { escapeLike, prefixRange } from '../../lib/fold.ts'
import { couponsOfItsStore, ownCoupons, type CouponOwner } from './coupon-rows.ts'

/** Text is folded; undefined where nothing is asked for. */
export interface CouponFilter extends GoingOn {
  readonly code: string | undefined
  readonly prefix: string | undefined
  readonly part: string | undefined
  /** `part` when it is an id. */
  readonly id: number | undefined
  /** Absent: the newest first, by prefix alone in the order of codes. */
  readonly sort?: CouponSort | undefined
  readonly count: number
  readonly offset: number
}

/** By age or by code. */
export type CouponSort = ListSort | 'code' | '-code'

/** A page of what the owner may read, in the order of `pageOfCoupons`. */
export async function listCoupons(db: Reader, owner: CouponOwner, filter: CouponFilter) {
  const isAlone = owner.ofStore !== undefined || !(await hasCoupons(couponsOfItsStore(db, owner)))
  const { code, prefix, part, sort = '-id' } = filter
  const isAll = [code, prefix, part].every((one) => one === undefined) && sort === '-id'
  if (!isAll || !isAlone || owner.ofStore !== undefined) {
    return pageOfCoupons(db, owner, { ...filter, isAlone }).execute()
  }
  const start = await listStart(db, 'coupons', owner, filter)
  return pageOfCoupons(db, owner, { ...filter, ...start, isAlone }).execute()
}

type Coupons = ReturnType<typeof ownCoupons>

async function hasCoupons(coupons: Coupons): Promise<boolean> {
  return (await coupons.select('coupons.id').limit(1).executeTakeFirst()) !== undefined
}

const ORDERS: Readonly<Record<CouponSort, RawBuilder<unknown>>> = {
  id: sql`id`,
  '-id': sql`id desc`,
  code: sql`code_folded, id`,
  '-code': sql`code_folded desc, id desc`,
}

/** What goes on below an id is always the newest first. */
function sortOf({ sort, prefix, part, below }: CouponFilter): CouponSort {
  if (below !== undefined) return '-id'
  return sort ?? (prefix !== undefined && part === undefined ? 'code' : '-id')
}

/**
 * Newest first unless it is sorted; by prefix alone in the order of codes, which the index has, so that a page costs the same
 * however many codes begin so. With `isAlone` only what the owner may write, skipped to in one index, from the
 * id `upTo` where `list-start.ts` found it.
 * Otherwise its first rows and those of its store, each found in an index, are merged: PostgreSQL would
 * sort all of a plain union.
 */
export function pageOfCoupons(
  db: Reader,
  owner: CouponOwner,
  { isAlone, upTo, ...filter }: CouponFilter & { readonly isAlone: boolean; readonly upTo?: number },
) {
  const { count, offset, below } = filter
  const order = ORDERS[sortOf(filter)]
  const until = Math.min(offset + count, Number.MAX_SAFE_INTEGER)
  const found = (coupons: Coupons) => narrowed(coupons, filter).orderBy(order)
  const first = (coupons: Coupons) => found(coupons).select(['id', 'code_folded']).limit(until)
  const within = (coupons: Coupons, to: number | undefined) =>
    to === undefined ? coupons : coupons.where('coupons.id', '<=', to)
  const goesOn = below === undefined ? undefined : fromNewest(0, below).upTo
  const own = within(ownCoupons(db, owner), goesOn)
  const ownUpTo = within(own, upTo)
  const both = () => sql<number>`(select id from (
      select * from ${first(own)} as own union all
      select * from ${first(within(couponsOfItsStore(db, owner), goesOn))} as of_store
      order by ${order} limit ${count} offset ${offset}) as page)`
  return unscoped(db, 'the ids are those of scoped queries')
    .selectFrom('coupons')
    .selectAll()
    .where('id', 'in', isAlone ? found(ownUpTo).select('id').limit(count).offset(offset) : both())
    .orderBy(order)
}

/** How many coupons the owner may read, counted no further than `filter.count`. */
export async function countCoupons(db: Reader, owner: CouponOwner, filter: CouponFilter): Promise<number> {
  const counted = (coupons: Coupons) =>
    countRows(db, narrowed(coupons, filter).select('coupons.id'), filter.count)
  const own = await counted(ownCoupons(db, owner))
  const ofStore = owner.ofStore === undefined ? await counted(couponsOfItsStore(db, owner)) : 0
  return Math.min(own + ofStore, filter.count)
}

function narrowed(coupons: Coupons, { code, prefix, part, id }: CouponFilter): Coupons {
  let found = coupons
  if (code !== undefined) found = found.where('code_folded', '=', code)
  if (prefix !== undefined) {
    const { from, to } = prefixRange(prefix)
    found = found.where('code_folded', '>=', from)
    if (to !== null) found = found.where('code_folded', '<', to)
  }
  if (part === undefined) return found
  const contains = sql<SqlBool>`code_folded like ${`%${escapeLike(part)}%`} escape '\\'`
  return found.where((or) => or.or([contains, ...(id === undefined ? [] : [or('id', '=', id)])]))
}
