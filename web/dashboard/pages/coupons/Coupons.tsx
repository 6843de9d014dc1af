import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Coupon } from '../../../../src/sales/coupons/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { FormDialog } from '../../form.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { CouponEnd, CouponState, discountText, usedText } from './columns.tsx'
import { NEW_COUPON, sentCoupon, useCouponFields } from './form.ts'

/** How often it was used is counted of what is live, which the sandbox does not show. */
const columnsIn = (environment: 0 | 1): readonly Column<Coupon>[] => [
  { label: texts.coupon, show: ({ code }) => <code>{code}</code> },
  { label: texts.state, show: CouponState },
  { label: texts.discount, show: discountText, isNumber: true },
  ...(environment === 0 ? [{ label: texts.used, show: usedText, isNumber: true } as const] : []),
  { label: texts.ends, show: CouponEnd },
]

const BY_CODE = [...BY_AGE, ['code', texts.byCode], ['-code', texts.byCodeBack]] as const

export function Coupons() {
  const { path, environment, wayTo } = usePlace()
  const navigate = useNavigate()
  const fields = useCouponFields()
  const [isCreating, setCreating] = useCreating('catalogue')
  return (
    <>
      <List<Coupon>
        title={texts.coupons}
        about={texts.couponsAbout}
        create={
          <Allowed group="catalogue">
            {(barred) => (
              <Button {...barred} onClick={() => setCreating(true)}>
                {texts.createCoupon}
              </Button>
            )}
          </Allowed>
        }
        path={`${path}/coupons.json`}
        items="coupons"
        search={texts.searchCoupons}
        sorts={BY_CODE}
        columns={columnsIn(environment)}
        wayTo={({ id }) => wayTo('coupon', id)}
        bulk={{ kind: 'coupons', group: 'catalogue' }}
        making={{ body: { code: 'WELCOME', discount: 20, discount_type: 'percentage' } }}
        empty={[texts.noCoupons, texts.noCouponsMore]}
      />
      {isCreating ? (
        <FormDialog<Coupon>
          title={texts.createCoupon}
          fields={fields}
          before={NEW_COUPON}
          act={texts.createCoupon}
          sent={(body) => ({
            method: 'POST',
            path: `${path}/coupons.json`,
            body: sentCoupon(body),
          })}
          close={() => setCreating(false)}
          done={({ id }) => void navigate(wayTo('coupon', id))}
        />
      ) : null}
    </>
  )
}
