import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Coupon as Shown } from '../../../../src/sales/coupons/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { Refusal, useDoing } from '../../doing.tsx'
import { Copy, Time } from '../../format.tsx'
import { One } from '../../One.tsx'
import { ApiCall, Facts, PageHead, RawData } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { CouponState, discountText, usedText } from './columns.tsx'
import { Note } from '../notes/Note.tsx'

/** One coupon: what it takes off from what, how often it was used, and the way to end it. */
export function Coupon() {
  const { path } = usePlace()
  const { coupon = '' } = useParams({ strict: false })
  const own = `${path}/coupons/${coupon}`
  return (
    <One<Shown> title={texts.coupon} path={own}>
      {(found) => (
        <>
          <Head coupon={found} own={own} />
          <div className="two">
            <Facts
              facts={[
                { label: texts.discount, value: discountText(found) },
                { label: texts.used, value: usedText(found) },
                { label: texts.onRenewals, value: found.has_renewals_discount ? texts.yes : texts.no },
                { label: texts.oncePerCustomer, value: found.is_one_per_user ? texts.yes : texts.no },
                { label: texts.begins, value: <Time time={found.start_date} /> },
                {
                  label: texts.ends,
                  value: found.end_date === null ? texts.never : <Time time={found.end_date} />,
                },
              ]}
            />
            <div className="stack">
              <Facts
                title={texts.id}
                facts={[
                  { label: texts.coupon, value: <Copy text={found.code} /> },
                  { label: texts.id, value: <Copy text={found.id} /> },
                  { label: texts.created, value: <Time time={found.created} /> },
                ]}
              />
              <Note own={own} />
            </div>
          </div>
          <ApiCall path={`${own}.json`} />
          <RawData data={found} />
        </>
      )}
    </One>
  )
}

function Head({ coupon, own }: { readonly coupon: Shown; readonly own: string }) {
  const doing = useDoing(() => undefined)
  const isOn = coupon.is_active
  return (
    <>
      <PageHead
        title={coupon.code}
        state={<CouponState {...coupon} />}
        actions={
          <Allowed group="catalogue">
            {(barred) => (
              <Button
                {...barred}
                variant="default"
                loading={doing.isBusy}
                onClick={() => doing.send({ method: 'PUT', path: `${own}.json`, body: { is_active: !isOn } })}
              >
                {isOn ? texts.pause : texts.resume}
              </Button>
            )}
          </Allowed>
        }
      />
      <Refusal problem={doing.problem} />
    </>
  )
}
