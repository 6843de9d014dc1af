import type { Coupon } from '../../../../src/sales/coupons/schema.ts'
import { Time } from '../../format.tsx'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../lists/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { CouponState, discountText, usedText } from './columns.tsx'

const COLUMNS: readonly Column<Coupon>[] = [
  { label: texts.coupon, show: ({ code }) => <code>{code}</code> },
  { label: texts.state, show: CouponState },
  { label: texts.discount, show: discountText, isNumber: true },
  { label: texts.used, show: usedText, isNumber: true },
  { label: texts.ends, show: ({ end_date: end }) => (end === null ? texts.never : <Time time={end} />) },
]

export function Coupons() {
  const { path, wayTo } = usePlace()
  return (
    <List<Coupon>
      title={texts.coupons}
      about={texts.couponsAbout}
      path={`${path}/coupons.json`}
      items="coupons"
      search={texts.searchCoupons}
      columns={COLUMNS}
      wayTo={({ id }) => wayTo('coupon', id)}
      empty={[texts.noCoupons, texts.noCouponsMore]}
    />
  )
}
