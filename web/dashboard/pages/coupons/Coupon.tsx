import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListedCoupon as Shown } from '../../../../src/sales/coupons/schema.ts'
import { fill } from '../../../shared/language.ts'
import { AllowedButtons } from '../../AllowedButtons.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Refusal } from '../../../ui/doing.tsx'
import { FormDialog } from '../../form.tsx'
import { amountText, Copy, cycleText, numberText, Time } from '../../format.tsx'
import { One } from '../../One.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { plansQuery } from '../../products.ts'
import { useSwitch } from '../../switching.ts'
import { texts } from '../../texts/texts.ts'
import { useUnit } from '../../unit.ts'
import { CouponEnd, CouponState, discountText, usedText } from './columns.tsx'
import { sentCoupon, shownCoupon, useCouponFields } from './form.ts'
import { Special } from './Special.tsx'
import { Note } from '../notes/Note.tsx'

const ENRICHED = { is_enriched: true }

/** One coupon: what it takes off from what, how often it was used, what it is special for, and the way to end it. */
export function Coupon() {
  const { path } = usePlace()
  const { coupon = '' } = useParams({ strict: false })
  const own = `${path}/coupons/${coupon}`
  return (
    <One<Shown> title={texts.coupon} path={own} query={ENRICHED}>
      {(found) => (
        <>
          <Head coupon={found} />
          <div className="two">
            <div className="stack">
              <About coupon={found} />
              <Special coupon={found.id} />
            </div>
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
          <ApiCall path={`${own}.json`} query={ENRICHED} />
          <RawData data={found} />
        </>
      )}
    </One>
  )
}

interface OfCoupon {
  readonly coupon: Shown
}

/** A list of the interface; null: all of it. */
const listed = (list: string | null, word: (one: string) => string, all: string): string =>
  list === null ? all : list.split(',').map(word).join(', ')

const offText = (coupon: Shown): string =>
  coupon.discount_type === 'percentage'
    ? discountText(coupon)
    : Object.entries(coupon.discounts ?? {})
        .map(([currency, amount]) => amountText(amount, currency))
        .join(', ')

function About({ coupon }: OfCoupon) {
  const { path, environment } = usePlace()
  const { data: plans = [] } = useQuery(plansQuery(path))
  const planText = (id: string) => plans.find((plan) => plan.id === id)?.title ?? `#${id}`
  const { many } = useUnit()
  const sites = (count: string) => (count === '0' ? texts.unlimited : count)
  return (
    <Facts
      facts={[
        { label: texts.discount, value: offText(coupon) },
        // Counted of what is live.
        ...(environment === 0 ? [{ label: texts.used, value: usedText(coupon) }] : []),
        { label: texts.couponFor, value: texts.userTypes[coupon.user_type] },
        { label: texts.couponPlans, value: listed(coupon.plans, planText, texts.anyPlan) },
        {
          label: texts.couponCycles,
          value: listed(coupon.billing_cycles, (cycle) => cycleText(Number(cycle)), texts.anyCycle),
        },
        {
          label: fill(texts.couponSites, { units: many }),
          value: listed(coupon.licenses, sites, texts.anySites),
        },
        { label: texts.onRenewals, value: coupon.has_renewals_discount ? texts.yes : texts.no },
        { label: texts.onAddons, value: coupon.has_addons_discount ? texts.yes : texts.no },
        { label: texts.oncePerCustomer, value: coupon.is_one_per_user ? texts.yes : texts.no },
        { label: texts.begins, value: <Time time={coupon.start_date} /> },
        { label: texts.ends, value: <CouponEnd {...coupon} /> },
      ]}
    />
  )
}

type Open = 'change' | 'remove' | null

function Head({ coupon }: OfCoupon) {
  const { accountPath, path } = usePlace()
  const [open, setOpen] = useState<Open>(null)
  const isOn = coupon.is_active
  const isOfStore = coupon.entity_type === 'store'
  // A coupon of a store is changed there, for all its products.
  const own = `${isOfStore ? `${accountPath}/stores/${coupon.entity_id}` : path}/coupons/${coupon.id}`
  const switching = useSwitch<Shown>({
    own: `${path}/coupons/${coupon.id}`,
    to: `${own}.json`,
    said: (change) => `${coupon.code}: ${change.is_active ? texts.active : texts.inactive}`,
  })
  const buttons = [
    [isOn ? texts.pause : texts.resume, () => switching.change({ is_active: !isOn })],
    [texts.change, () => setOpen('change')],
    [texts.removeCoupon, () => setOpen('remove')],
  ] as const
  return (
    <>
      <PageHead
        title={coupon.code}
        state={<CouponState {...coupon} />}
        {...(isOfStore && { about: texts.ofStoreAll })}
        actions={<AllowedButtons group="catalogue" buttons={buttons} />}
      />
      <Refusal problem={switching.problem} />
      <Opened coupon={coupon} own={own} open={open} close={() => setOpen(null)} />
    </>
  )
}

/** The form of a change, or the question before it is gone. */
function Opened({
  coupon,
  own,
  open,
  close,
}: OfCoupon & { readonly own: string; readonly open: Open; readonly close: () => void }) {
  const navigate = useNavigate()
  const { account, product } = usePlace()
  const fields = useCouponFields()
  const params = { account: account.developer_id, product }
  if (open === 'change') {
    return (
      <FormDialog
        title={texts.changeCoupon}
        fields={fields}
        before={shownCoupon(coupon)}
        sent={(body) => ({ method: 'PUT', path: `${own}.json`, body: sentCoupon(body) })}
        close={close}
      />
    )
  }
  if (open === null) return null
  return (
    <Confirm
      title={texts.removeCoupon}
      text={fill(texts.removeCouponMore, { count: numberText(coupon.redemptions ?? 0) })}
      keep={texts.keepCoupon}
      sent={{ method: 'DELETE', path: `${own}.json` }}
      close={close}
      done={() => void navigate({ to: '/$account/$product/coupons', params })}
    />
  )
}
