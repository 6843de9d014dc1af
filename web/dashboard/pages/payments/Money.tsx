import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PaymentMoney } from '../../../../src/sales/ledger/schema.ts'
import type { Payment } from '../../../../src/sales/payments/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Amount, amountText, numberText, Time } from '../../format.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { Failure } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { totalOf } from './amounts.ts'
import { kindText } from './columns.tsx'

type Posting = PaymentMoney['postings'][number]

interface Explained {
  readonly payment: Payment
  readonly money: PaymentMoney
}

/** What the money of a payment is made of, by the path that the calls about it begin with. */
export const useMoney = (own: string) =>
  useQuery({ queryKey: [`${own}/money`], queryFn: () => ask<PaymentMoney>(`${own}/money.json`) })

/** What a payment is made of: each amount opens its lines and where they stand in the ledger, which comes to 0. */
export function Money({ payment, own }: { readonly payment: Payment; readonly own: string }) {
  const { data, error, refetch } = useMoney(own)
  return (
    <div className="stack">
      <section className="panel facts">
        <h2>{texts.amount}</h2>
        <Amounts payment={payment} money={data} />
      </section>
      {error ? <Failure error={error} again={() => void refetch()} /> : null}
      {data === undefined && !error ? <Loading lines={2} /> : null}
      {data ? <Ledger payment={payment} money={data} /> : null}
    </div>
  )
}

const isOf = (accounts: readonly string[], { account }: Posting) =>
  accounts.some((one) => account === one || account.startsWith(`${one}:`))

/** The accounts in which an amount of a payment stands. */
const PRICE = ['revenue', 'refunds', 'disputes']
const TAX = ['tax']
const CHARGED = ['gateway', 'elsewhere', 'gateway_fees']

function Amounts({
  payment,
  money,
}: {
  readonly payment: Payment
  readonly money: PaymentMoney | undefined
}) {
  const { gross, vat, currency } = payment
  const rate = money && money.tax_rate > 0 ? `${money.tax_name} ${numberText(money.tax_rate)} %` : null
  return (
    <div className="money">
      <Opened label={texts.price} amount={gross} currency={currency}>
        {money ? (
          <>
            {money.lines.map(({ description, amount }) => (
              <Line key={description} label={description} amount={amount} currency={currency} />
            ))}
            <Posted payment={payment} money={money} accounts={PRICE} />
          </>
        ) : null}
      </Opened>
      <Opened label={texts.tax} amount={vat} currency={currency}>
        {money ? (
          <>
            {rate === null ? null : <Line label={rate} amount={vat} currency={currency} />}
            {money.is_reverse_charged ? <p>{texts.reverseCharged}</p> : null}
            <Posted payment={payment} money={money} accounts={TAX} />
          </>
        ) : null}
      </Opened>
      <Opened label={texts.charged} amount={totalOf(payment)} currency={currency}>
        {money ? (
          <>
            {money.method === null ? null : <p>{money.method}</p>}
            <Posted payment={payment} money={money} accounts={CHARGED} />
          </>
        ) : null}
      </Opened>
    </div>
  )
}

interface OfAmount {
  readonly label: string
  readonly amount: number
  readonly currency: string
}

function Opened({ label, amount, currency, children }: OfAmount & { readonly children: ReactNode }) {
  return (
    <details>
      <summary>
        <span>{label}</span>
        <Amount amount={amount} currency={currency} />
      </summary>
      <div className="money-lines">{children}</div>
    </details>
  )
}

function Line({ label, amount, currency }: OfAmount) {
  return (
    <p className="money-line">
      <span>{label}</span>
      <Amount amount={amount} currency={currency} />
    </p>
  )
}

/** Where an amount of the payment itself stands in the ledger. */
function Posted({ payment, money, accounts }: Explained & { readonly accounts: readonly string[] }) {
  const own = money.postings.filter((one) => one.payment_id === payment.id && isOf(accounts, one))
  return own.map((one) => (
    <Line
      key={one.id}
      label={fill(texts.inLedger, { account: accountText(one.account) })}
      amount={one.amount}
      currency={one.currency}
    />
  ))
}

/** An account of the ledger in words; one of a gateway by that. */
function accountText(account: string): string {
  const gateway = account.startsWith('gateway:') ? account.slice('gateway:'.length) : null
  if (gateway !== null) return fill(texts.accountOfGateway, { gateway })
  const names: Readonly<Record<string, string>> = texts.ledgerAccounts
  return names[account] ?? account
}

const COLUMNS: readonly Column<Posting>[] = [
  { label: texts.account, show: ({ account }) => accountText(account) },
  { label: texts.of, show: (one) => <Of posting={one} /> },
  { label: texts.created, show: ({ created }) => <Time time={created} /> },
  {
    label: texts.amount,
    show: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
    isNumber: true,
  },
]

function Of({ posting }: { readonly posting: Posting }) {
  const { wayTo } = usePlace()
  return (
    <Link {...wayTo('payment', posting.payment_id)}>
      {kindText(posting.type)} #{posting.payment_id}
    </Link>
  )
}

/** Every posting of the payment and of what takes it back, with what they come to, of each currency. */
function Ledger({ money }: Explained) {
  const { postings } = money
  if (postings.length === 0) return <p className="note muted">{texts.noPostings}</p>
  const currencies = [...new Set(postings.map(({ currency }) => currency))]
  return (
    <section className="stack">
      <h2>{texts.ledger}</h2>
      <p className="muted">{texts.ledgerMore}</p>
      <Rows label={texts.ledger} columns={COLUMNS} rows={postings} />
      {currencies.map((currency) => (
        <p key={currency} className="note">
          {fill(texts.ledgerSum, { amount: amountText(sumOf(postings, currency) / 100, currency) })}
        </p>
      ))}
    </section>
  )
}

/** In minor units, which add up exactly. */
const sumOf = (postings: readonly Posting[], currency: string): number =>
  postings
    .filter((one) => one.currency === currency)
    .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
