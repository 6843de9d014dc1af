import { Button } from '@mantine/core'
import { useState } from 'react'
import type { License } from '../../../src/licensing/licenses/schema.ts'
import type { Trial } from '../../../src/licensing/trials/schema.ts'
import type { ExtendedPayment as Payment } from '../../../src/sales/payments/schema.ts'
import type { Subscription } from '../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../shared/language.ts'
import { saidOf, useDoing } from '../../ui/doing.tsx'
import type { Column } from '../../ui/Rows.tsx'
import { pathOf } from '../../ui/server.ts'
import {
  Amount,
  cycleText,
  dayText,
  EndText,
  Key,
  LicenseState,
  OfTest,
  State,
  SubscriptionState,
  Time,
  usedText,
} from '../format.tsx'
import { Head } from '../Head.tsx'
import { said } from '../look.ts'
import { Part } from '../Part.tsx'
import { usePlans } from '../plans.ts'
import { isFramed, useHere } from '../place.ts'
import { texts } from '../texts/texts.ts'

/** What a user has of a product: licenses with their keys, what renews itself, and what was paid. */
export function Home() {
  const { product, path, wayTo, userPath, isOff } = useHere()
  const greeting = said(product.look.greeting)
  const plans = usePlans()
  const planOf = (of: { readonly plan_id: string }) => plans(of) ?? texts.license
  return (
    <>
      <Head title={product.title} {...(greeting !== null && { about: greeting })} />
      <Part<License>
        title={texts.licenses}
        path={`${path}/licenses.json`}
        items="licenses"
        columns={[{ label: texts.plan, show: planOf }, ...(isOff('keys') ? WITHOUT_KEYS : LICENSES)]}
        wayTo={({ id }) => wayTo('licenses', id)}
        empty={texts.noLicenses}
      />
      <Part<Subscription>
        title={texts.subscriptions}
        path={`${path}/subscriptions.json`}
        items="subscriptions"
        columns={[{ label: texts.plan, show: planOf }, ...SUBSCRIPTIONS]}
        wayTo={({ id }) => wayTo('subscriptions', id)}
        empty={texts.noSubscriptions}
      />
      {isOff('trials') ? null : (
        <Part<Trial>
          title={texts.trials}
          path={`${path}/trials.json`}
          items="trials"
          columns={[{ label: texts.plan, show: planOf }, ...TRIALS]}
          isQuiet
          empty=""
        />
      )}
      <Part<Payment>
        title={texts.payments}
        path={`${path}/payments.json`}
        items="payments"
        query={{ extended: 'true' }}
        columns={PAYMENTS}
        {...(!isOff('invoices') && {
          actions: (payment: Payment) => <DocumentOf payment={payment} userPath={userPath} />,
        })}
        empty={texts.noPayments}
      />
    </>
  )
}

const LICENSES: readonly Column<License>[] = [
  { label: texts.state, show: LicenseState },
  { label: texts.key, show: ({ secret_key: key }) => (key ? <Key text={key} /> : texts.none) },
  { label: texts.activations, show: usedText, isNumber: true },
  { label: texts.ends, show: EndText },
]

const WITHOUT_KEYS = LICENSES.filter(({ label }) => label !== texts.key)

const SUBSCRIPTIONS: readonly Column<Subscription>[] = [
  { label: texts.state, show: SubscriptionState },
  { label: texts.cycle, show: ({ billing_cycle: cycle }) => cycleText(cycle) },
  {
    label: texts.nextPayment,
    show: ({ canceled_at, next_payment }) => <Time time={canceled_at === null ? next_payment : null} />,
  },
  {
    label: texts.amount,
    show: ({ renewal_amount: amount, currency }) => <Amount amount={amount} currency={currency} />,
    isNumber: true,
  },
]

const TRIAL_STATES: Readonly<Record<Trial['state'], readonly [word: string, tone: string]>> = {
  running: [texts.running, 'good'],
  converted: [texts.bought, ''],
  cancelled: [texts.cancelled, ''],
  ended: [texts.over, ''],
}

const TRIALS: readonly Column<Trial>[] = [
  {
    label: texts.state,
    show: ({ state, environment }) => {
      const [word, tone] = TRIAL_STATES[state]
      return (
        <>
          <State word={word} tone={tone} /> <OfTest environment={environment} />
        </>
      )
    },
  },
  { label: texts.ends, show: ({ trial_ends_at: end }) => <Time time={end} /> },
]

const KINDS: Readonly<Record<string, string>> = {
  refund: texts.refund,
  chargeback: texts.chargeback,
  disputed: texts.disputed,
  lost_dispute: texts.lostDispute,
  won_dispute: texts.wonDispute,
}

/** How a document of a payment is called, and its link. */
const DOCUMENTS = {
  invoice: [texts.invoice, texts.invoiceOf],
  credit_note: [texts.creditNote, texts.creditNoteOf],
} as const

const PAYMENTS: readonly Column<Payment>[] = [
  { label: texts.date, show: ({ created }) => dayText(created) },
  {
    label: texts.state,
    show: ({ type, is_renewal: isRenewal, environment }) => (
      <>
        {KINDS[type] ?? (isRenewal ? texts.renewal : texts.paid)} <OfTest environment={environment} />
      </>
    ),
  },
  {
    label: texts.amount,
    show: ({ gross, vat, currency }) => <Amount amount={gross + vat} currency={currency} />,
    isNumber: true,
  },
]

function DocumentOf({ payment, userPath }: { readonly payment: Payment; readonly userPath: string }) {
  const { id, created, document } = payment
  if (!document) return null
  const [name, of] = DOCUMENTS[document]
  const label = fill(of, { date: dayText(created) })
  return (
    <>
      <a
        href={pathOf(`${userPath}/payments/${id}/invoice.pdf`)}
        {...(isFramed ? { download: '' } : { target: '_blank', rel: 'noopener' })}
        aria-label={label}
      >
        {name}
      </a>{' '}
      <MailDocument path={`${userPath}/payments/${id}/invoice/mail.json`} label={label} />
    </>
  )
}

/** Mails a document again, and says so in its place. */
function MailDocument({ path, label }: { readonly path: string; readonly label: string }) {
  const [isSent, setSent] = useState(false)
  const doing = useDoing<unknown>(() => setSent(true))
  const said = isSent ? texts.documentMailed : doing.problem ? saidOf(doing.problem) : null
  return (
    <>
      {isSent ? null : (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={doing.isBusy}
          aria-label={fill(texts.mailDocumentOf, { document: label })}
          onClick={() => doing.send({ method: 'POST', path })}
        >
          {texts.mailDocument}
        </Button>
      )}
      <span role="status">{said}</span>
    </>
  )
}
