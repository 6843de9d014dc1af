import type { Coupon } from '../../../../src/sales/coupons/schema.ts'
import { State, Time } from '../../format.tsx'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../lists/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { discountText, usedText } from './columns.tsx'

const COLUMNS: readonly Column<Coupon>[] = [
  { label: texts.coupon, show: ({ code }) => <code>{code}</code> },
  {
    label: texts.state,
    show: ({ is_active }) =>
      is_active ? <State word={texts.active} tone="good" /> : <State word={texts.inactive} tone="plain" />,
  },
  { label: texts.discount, show: discountText, isNumber: true },
  { label: texts.used, show: usedText, isNumber: true },
  { label: texts.ends, show: ({ end_date: end }) => (end === null ? texts.never : <Time time={end} />) },
]

export function Coupons() {
  const { account, path, product } = usePlace()
  return (
    <List<Coupon>
      title={texts.coupons}
      about={texts.couponsAbout}
      path={`${path}/coupons.json`}
      items="coupons"
      search={texts.searchCoupons}
      columns={COLUMNS}
      wayTo={({ id }) => ({
        to: '/$account/$product/coupons/$coupon',
        params: { account: account.developer_id, product, coupon: id },
      })}
      empty={[texts.noCoupons, texts.noCouponsMore]}
    />
  )
}
