import { useRef, useState } from 'preact/hooks'
import { usePage, type Page } from '../page.ts'
import type { CheckoutResult } from '../server.ts'
import { copyText } from '../../shared/copy.ts'
import { useFocus } from '../../shared/focus.ts'
import { fill } from '../../shared/language.ts'

/** What was bought: the key, what to do with it, and the way on. */
export function Done() {
  const page = usePage()
  const { texts, state } = page
  const heading = useFocus<HTMLHeadingElement>()
  const { result } = state
  if (!result) return null
  const first = result.user?.first ?? ''
  const key = page.address.hides.has('license key') ? null : result.license_key
  return (
    <div class="done">
      <svg class="check" viewBox="0 0 40 40" aria-hidden="true">
        <circle cx="20" cy="20" r="19" />
        <path d="M12 20.5l5.5 5.5L28.5 15" />
      </svg>
      <h1 ref={heading} tabIndex={-1}>
        {first === '' ? texts.doneNameless : fill(texts.done, { name: first })}
      </h1>
      <p>{saidOf(page)}</p>
      {state.isSiteRefused && (
        <p class="alert bad" role="alert">
          {texts.siteRefused}
        </p>
      )}
      {key !== null && <Key value={key} />}
      {nextOf(page, { ...result, license_key: key }).map((text) => (
        <p key={text} class="muted">
          {text}
        </p>
      ))}
      <Papers />
      {page.exit.hasWayBack && (
        <button type="button" class="primary" onClick={() => page.exit.finish()}>
          {texts.gotIt}
        </button>
      )}
    </div>
  )
}

/** The invoice, the portal, and the mail once more: so that nothing hangs on a mail that has not come. */
function Papers() {
  const { texts, state, store } = usePage()
  const [said, say] = useState(texts.sendAgain)
  const { receipt_url: receipt = null, portal_url: portal = null, user } = state.result ?? {}
  const again = user?.resend_email_endpoint ?? null
  const links = [
    [receipt && store.server.pathOf(receipt), texts.receipt],
    [portal, texts.portal],
  ] as const
  return (
    <p class="papers">
      {links.map(
        ([to, text]) =>
          to !== null && (
            <a key={text} href={to} target="_blank" rel="noopener">
              {text}
            </a>
          ),
      )}
      {again !== null && (
        <button
          type="button"
          class="link"
          disabled={said === texts.sentAgain}
          onClick={() =>
            void store.server.sendAgain(again).then(
              () => say(texts.sentAgain),
              () => say(texts.tryAgain),
            )
          }
        >
          <span aria-live="polite">{said}</span>
        </button>
      )}
    </p>
  )
}

/** What to do with it, and what is mailed. */
function nextOf(page: Page, result: CheckoutResult): readonly string[] {
  const { texts, state } = page
  const email = result.user?.email || state.input.email
  const isNew = state.checkout?.action === 'purchase' || state.checkout?.action === 'trial'
  if (result.license_key !== null) return keyIsHere(page, { email: result.payment && email, isNew })
  if (email === '') return []
  if (isNew) return [fill(texts.keyByMail, { email })]
  return result.payment === null ? [] : [fill(texts.mailed, { email })]
}

function keyIsHere(
  { texts, product, state }: Page,
  { email, isNew }: { readonly email: string | null; readonly isNew: boolean },
): string[] {
  const name = product?.title ?? state.checkout?.product.title ?? ''
  return [
    ...(isNew ? [fill(texts.nextStep, { product: name })] : []),
    ...(email ? [fill(texts.mailed, { email })] : []),
  ]
}

function saidOf({ state: { checkout }, texts }: Page): string {
  switch (checkout?.action) {
    case 'trial':
      return texts.doneTrial
    case 'payment_method_update':
      return texts.doneMethod
    case 'license_update':
      return texts.doneUpdate
    default:
      return texts.doneMore
  }
}

function Key({ value }: { readonly value: string }) {
  const { texts } = usePage()
  const [isCopied, copied] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const copy = async () => {
    await copyText(value, field.current)
    copied(true)
  }
  return (
    <div class="field">
      <label for="key">{texts.yourKey}</label>
      <div class="joined">
        <input
          id="key"
          ref={field}
          class="mono"
          readOnly
          value={value}
          onFocus={() => field.current?.select()}
        />
        <button type="button" onClick={() => void copy()}>
          <span aria-live="polite">{isCopied ? texts.copied : texts.copy}</span>
        </button>
      </div>
    </div>
  )
}
