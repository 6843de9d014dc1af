import { useEffect, useRef, useState } from 'preact/hooks'
import { usePage, type Page } from '../page.ts'
import { needsMethod } from '../pay/form.ts'
import { BUTTONS, WalletForm, WALLETS } from '../pay/wallet.ts'
import { formsOf, stripeKey, wayOf, type Form } from '../pay/ways.ts'
import { fill } from '../../shared/language.ts'
import { useLoaded } from './loaded.ts'

/** How it is paid. */
export function Payment() {
  const { texts, state } = usePage()
  const { checkout } = state
  if (!checkout) return null
  if (!needsMethod(checkout)) return <p class="muted">{texts.noPayment}</p>
  return (
    <fieldset>
      <legend>{texts.payment}</legend>
      <Forms forms={formsOf(checkout)} />
    </fieldset>
  )
}

/** One form, and where there are several, the choice of it. */
function Forms({ forms }: { readonly forms: readonly Form[] }) {
  const { texts, host, product } = usePage()
  const [gateway, choose] = useState('')
  const chosen = forms.find((form) => form.gateway === gateway) ?? forms[0]
  if (!chosen) return <p class="muted">{product?.payment ? texts.notOffered : texts.noGateway}</p>
  return (
    <>
      {forms.length > 1 && (
        <div class="ways">
          {forms.map((form) => (
            <label key={form.gateway}>
              <input
                type="radio"
                name="gateway"
                checked={form === chosen}
                onChange={() => {
                  choose(form.gateway)
                  host.track(form.gateway in WALLETS ? form.gateway : 'cc')
                }}
              />
              {wayOf(form.gateway, texts.card)}
            </label>
          ))}
        </div>
      )}
      <Method key={chosen.gateway} form={chosen} />
    </>
  )
}

function Method({ form }: { readonly form: Form }) {
  const page = usePage()
  const { gateway, tokens } = form
  useEffect(() => {
    page.gateway = gateway
    if (tokens.length > 0) page.form = { token: async () => ({ payment_token: page.state.input.testToken }) }
    else page.form = gateway in WALLETS ? new WalletForm(gateway) : null
  }, [page, gateway])
  useOwnButton(form)
  if (tokens.length > 0) return <Sandbox tokens={tokens} />
  const stripe = stripeKey(form)
  if (stripe !== null) return <Card stripe={stripe} />
  return <p class="muted">{fill(page.texts.atWallet, { wallet: WALLETS[gateway] ?? '' })}</p>
}

function Sandbox({ tokens }: Pick<Form, 'tokens'>) {
  const Part = useLoaded(async () => (await import('./TestPayment.tsx')).TestPayment)
  return Part && <Part tokens={tokens} />
}

function Card({ stripe }: { readonly stripe: string }) {
  const Part = useLoaded(async () => (await import('./CardForm.tsx')).CardForm)
  return Part ? <Part stripe={stripe} /> : <div class="spinner" aria-hidden="true" />
}

/** Has the wallet's own script show a button, where it has one and comes, and something is paid now. */
function useOwnButton({ gateway, publishable_key: key }: Form): void {
  const page = usePage()
  const { currency = '', quote } = page.state.checkout ?? {}
  const load = key !== null && quote && quote.total > 0 ? BUTTONS[gateway] : undefined
  useEffect(() => {
    if (!load || key === null) return
    const [before, { language, isReady }] = [page.form, page]
    let isOver = false
    const about = { key, currency, language, isReady, pay: () => page.pay() }
    load()
      .then((script) => script.load(about))
      .then(
        (form) => {
          if (isOver) return
          page.form = form
          page.store.set({ hasOwnButton: true })
        },
        // Without it the page leads there by itself.
        () => {},
      )
    return () => {
      isOver = true
      page.form = before
      page.store.set({ hasOwnButton: false })
    }
  }, [page, load, key, currency])
}

/** The one button that pays; none where nothing takes the payment. */
export function PayButton() {
  const page = usePage()
  const { state, texts } = page
  const { checkout } = state
  if (checkout && needsMethod(checkout) && formsOf(checkout).length === 0) return null
  if (state.hasOwnButton) return <OwnButton />
  const isPaying = state.phase === 'paying'
  return (
    <button type="submit" class="primary" aria-busy={isPaying}>
      {isPaying ? texts.paying : labelOf(page)}
    </button>
  )
}

function OwnButton() {
  const { form } = usePage()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => (place.current && form?.mount?.(place.current)) ?? undefined, [form])
  return <div ref={place} class="own-button" />
}

/** The act with its amount. */
function labelOf(page: Page): string {
  const { texts } = page
  const { checkout } = page.state
  if (!checkout) return ''
  const { quote, trial, renewal, action } = checkout
  if (trial !== null && quote.total === 0) return texts.startTrial
  if (action === 'payment_method_update' && quote.total === 0) return texts.saveCard
  if (quote.total === 0) return texts.getIt
  return fill(renewal ? texts.subscribeAmount : texts.payAmount, { amount: page.money(quote.total) })
}
