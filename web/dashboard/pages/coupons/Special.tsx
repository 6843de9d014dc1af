import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CouponEntity } from '../../../../src/sales/coupons/special-schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Refusal, type Sent } from '../../../ui/doing.tsx'
import { NumberLink } from '../../links.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { Failure } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { useWithUndo } from '../../with-undo.ts'

interface Purpose {
  readonly id: string
  readonly title: string
  /** The coupon that has it; null: none. */
  readonly coupon: string | null
}

/** What a coupon of the product is applied for without being typed: it takes the place of the one that had it. */
export function Special({ coupon }: { readonly coupon: string }) {
  const { path } = usePlace()
  const list = `${path}/coupons/special.json`
  const { problem, act: give } = useGiving(path)
  const { data, error, refetch } = useQuery({
    queryKey: [list],
    queryFn: () => ask<{ readonly coupon_entities: readonly CouponEntity[] }>(list),
  })
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return <Loading lines={2} />
  const purposes = Object.entries(texts.specials).map(([id, title]): Purpose => {
    const holder = data.coupon_entities.find(({ type }) => type === id)
    return { id, title, coupon: holder ? String(holder.coupon_id) : null }
  })
  const columns: readonly Column<Purpose>[] = [
    { label: texts.specialCoupon, show: ({ title }) => title },
    {
      label: texts.coupon,
      show: (one) =>
        one.coupon === coupon ? texts.specialHere : <NumberLink kind="coupon" id={one.coupon} />,
    },
  ]
  return (
    <section className="stack">
      <h2>{texts.specialCoupon}</h2>
      <p className="muted">{texts.specialCouponMore}</p>
      <Refusal problem={problem} />
      <Rows
        label={texts.specialCoupon}
        columns={columns}
        rows={purposes}
        actions={({ id, title, coupon: holder }) => {
          const isHere = holder === coupon
          return (
            <Allowed group="catalogue" isQuiet>
              {(barred) => (
                <Button
                  {...barred}
                  variant="default"
                  size="compact-sm"
                  aria-label={fill(isHere ? texts.endItOf : texts.useForItOf, { purpose: title })}
                  onClick={() => give({ id, title, was: holder, to: isHere ? null : coupon })}
                >
                  {isHere ? texts.endIt : texts.useForIt}
                </Button>
              )}
            </Allowed>
          )
        }}
      />
    </section>
  )
}

interface Given extends Pick<Purpose, 'id' | 'title'> {
  /** The coupons that had it and have it; null: none. */
  readonly was: string | null
  readonly to: string | null
}

/** Gives a purpose to a coupon, in the place of the one that had it, and back where that is undone. */
function useGiving(path: string) {
  const sent = ({ id, was, to }: Given): Sent => ({
    method: to === null ? 'DELETE' : 'PUT',
    path: `${path}/coupons/${to ?? was}/special/${id}.json`,
  })
  return useWithUndo<Given>({
    sent,
    said: ({ title, to }) => fill(to === null ? texts.purposeEnded : texts.purposeGiven, { purpose: title }),
    back: (given) => sent({ ...given, was: given.to, to: given.was }),
  })
}
