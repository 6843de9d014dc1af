import { fill } from '../../shared/language.ts'
import { isTicked } from '../consents.ts'
import { usePage } from '../page.ts'
import type { Consent } from '../state.ts'

/** What a buyer may agree to, and what must be agreed to before it is paid. */
export function Consents() {
  const { state, texts, product } = usePage()
  const { checkout } = state
  if (!checkout) return null
  const { waiver, marketing } = checkout
  const title = product?.title ?? checkout.product.title
  return (
    <>
      {marketing && <Box consent="marketing" text={fill(texts.allowMarketing, { product: title })} />}
      {waiver && <Box consent="waiver" text={waiver.text} event="cooling-off-waiver-toggled" isRequired />}
    </>
  )
}

interface Box {
  readonly consent: Consent
  readonly text: string
  /** What the page around this one hears when it is ticked or not. */
  readonly event?: string
  readonly isRequired?: boolean
}

function Box({ consent, text, event, isRequired = false }: Box) {
  const { state, store, host } = usePage()
  const error = state.errors[consent]
  return (
    <div class="consent">
      <label>
        <input
          type="checkbox"
          required={isRequired}
          checked={isTicked(state, consent)}
          aria-invalid={error !== undefined}
          aria-describedby={error && `${consent}-error`}
          onChange={({ currentTarget }) => {
            store.tick(consent, currentTarget.checked)
            if (event !== undefined) host.track(event)
          }}
        />
        {text}
      </label>
      {error && (
        <p class="error" id={`${consent}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
