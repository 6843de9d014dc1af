import { NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import type { CheckoutProduct } from '../../../../src/sales/pricing-table/checkout-product-schema.ts'
import type { Checkout } from '../../../../src/sales/checkouts/schema.ts'
import type { UpgradeLink } from '../../../../src/sales/checkouts/upgrade-link-schema.ts'
import { Problem } from '../../../shared/call.ts'
import { Dialog, useDoing } from '../../../ui/doing.tsx'
import { Failed, Loading } from '../../../ui/parts.tsx'
import { ask, send } from '../../../ui/server.ts'
import { cycleNameText } from '../../format.tsx'
import { useHere } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import {
  choiceOf,
  inPlan,
  isSame,
  licensesText,
  offersOf,
  otherOf,
  withLicenses,
  type Choice,
  type Offered,
} from './offers.ts'
import { QuoteLines } from './QuoteLines.tsx'

interface Changing {
  readonly license: License
  /** What the calls about the license begin with. */
  readonly own: string
  readonly close: () => void
}

interface Opened {
  readonly checkout: Checkout
  /** Whether it is for the license as it is. */
  readonly isRenewal: boolean
}

/** A checkout that is only looked at: it leaves no cart, and ends by itself. Of a license for life it is for another plan. */
async function openedFor(
  { license, own }: Omit<Changing, 'close'>,
  product: CheckoutProduct,
): Promise<Opened> {
  const { settings } = await send<UpgradeLink>({
    method: 'POST',
    path: `${own}/checkout/link.json`,
    body: {},
  })
  const { authorization } = settings as { readonly authorization: string }
  const open = (more: object) =>
    send<Checkout>({
      method: 'POST',
      path: '/checkout/sessions.json',
      body: { product_id: product.id, license_id: license.id, authorization, cart: false, ...more },
    })
  try {
    return { checkout: await open({}), isRenewal: true }
  } catch (error) {
    const other = error instanceof Problem && error.code === 'license_lifetime' && otherOf(product, license)
    if (!other) throw error
    return { checkout: await open(other), isRenewal: false }
  }
}

/** Another plan, number or cycle, or a renewal: what it comes to now and later, before the checkout is opened. */
export function ChangePlan({ license, own, close }: Changing) {
  const { product } = useHere()
  const offered = useQuery({
    queryKey: ['offers', product.id],
    queryFn: () => ask<CheckoutProduct>(`/checkout/products/${product.id}.json`),
  })
  const { data: sold } = offered
  const opened = useQuery({
    queryKey: [own, 'preview'],
    enabled: sold !== undefined,
    queryFn: () => (sold ? openedFor({ license, own }, sold) : Promise.reject(new Error('no offers'))),
    staleTime: Infinity,
    gcTime: 0,
  })
  const leading = useDoing<UpgradeLink>(({ url }) => window.location.assign(url))
  const [chosen, choose] = useState<Choice | null>(null)
  const error = opened.error ?? offered.error
  const again = () => void (sold ? opened : offered).refetch()
  return (
    <Dialog
      title={texts.change}
      isOpen
      close={close}
      act={texts.toCheckout}
      keep={texts.keepPlan}
      doing={leading}
      submit={() => {
        if (opened.data)
          leading.send({
            method: 'POST',
            path: `${own}/checkout/link.json`,
            body: asked(opened.data, chosen),
          })
      }}
    >
      {error ? (
        <Failed error={error} again={again} />
      ) : opened.data && sold ? (
        <Chosen
          now={opened.data.checkout}
          offers={offersOf(sold, opened.data.checkout)}
          choice={chosen ?? choiceOf(opened.data.checkout)}
          choose={choose}
        />
      ) : (
        <Loading lines={4} />
      )}
    </Dialog>
  )
}

/** What the link to the checkout is for: a renewal where nothing else was chosen. */
function asked({ checkout: now, isRenewal }: Opened, chosen: Choice | null): object {
  const { plan, licenses, cycle } = chosen ?? choiceOf(now)
  if (isRenewal && (chosen === null || isSame(chosen, choiceOf(now)))) return {}
  return {
    plan_id: plan,
    quota: licenses ?? 'unlimited',
    billing_cycle: cycle,
    currency: now.currency,
  }
}

interface ChosenOf {
  /** What the license comes to when it is renewed as it is. */
  readonly now: Checkout
  readonly offers: readonly Offered[]
  readonly choice: Choice
  readonly choose: (choice: Choice) => void
}

/** What is chosen, and what it comes to. */
function Chosen({ now, offers, choice, choose }: ChosenOf) {
  const { plan, licenses, cycle } = choice
  const prices = offers.find(({ id }) => id === plan)?.prices ?? []
  const cycles = prices.find((price) => price.licenses === licenses)?.cycles ?? []
  return (
    <>
      <NativeSelect
        label={texts.plan}
        value={plan}
        onChange={(event) => choose(inPlan(offers, event.currentTarget.value, choice))}
        data={offers.map(({ id, title }) => ({ value: id, label: title }))}
      />
      <NativeSelect
        label={texts.number}
        value={licensesText(licenses)}
        onChange={({ currentTarget: { value } }) =>
          choose(withLicenses(offers, choice, value === 'unlimited' ? null : Number(value)))
        }
        data={prices.map((price) => ({
          value: licensesText(price.licenses),
          label: price.licenses === null ? texts.unlimited : String(price.licenses),
        }))}
      />
      <NativeSelect
        label={texts.cycle}
        value={cycle}
        onChange={(event) => choose({ ...choice, cycle: event.currentTarget.value as Choice['cycle'] })}
        data={cycles.map((one) => ({ value: one, label: cycleNameText(one) }))}
      />
      <Preview now={now} choice={choice} />
    </>
  )
}

/** What the choice comes to, as the server has worked it out. */
function Preview({ now, choice }: Pick<ChosenOf, 'now' | 'choice'>) {
  const isNow = isSame(choice, choiceOf(now))
  const { data, error, isFetching } = useQuery({
    queryKey: ['preview', now.id, choice],
    enabled: !isNow,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    queryFn: () =>
      send<Checkout>({
        method: 'PUT',
        path: `/checkout/sessions/${now.id}.json`,
        body: {
          plan_id: choice.plan,
          licenses: licensesText(choice.licenses),
          billing_cycle: choice.cycle,
          currency: now.currency,
        },
      }),
  })
  if (error && !isNow)
    return (
      <p className="note bad" role="alert">
        {error instanceof Problem ? error.message : texts.none}
      </p>
    )
  const shown = isNow ? now : data
  return (
    <div aria-live="polite" aria-busy={isFetching}>
      {shown && isSame(choiceOf(shown), choice) ? <QuoteLines checkout={shown} /> : <Loading lines={3} />}
    </div>
  )
}
