import { useState } from 'preact/hooks'
import { usePage } from '../page.ts'

/** A coupon: the code that is used, or a field for one; a code that takes nothing off says why. */
export function Coupon() {
  const page = usePage()
  const { texts, state } = page
  const [isOpen, open] = useState(false)
  const [code, type] = useState('')
  const { checkout } = state
  if (!checkout || page.address.hides.has('coupon') || checkout.action === 'payment_method_update')
    return null
  const { discount } = checkout
  if (discount) {
    const reasons: Readonly<Record<string, string>> = texts.couponReasons
    return (
      <div class="coupon">
        <span class={discount.applies ? 'tag good' : 'tag bad'}>{discount.code ?? texts.couponHidden}</span>
        <button type="button" class="link" onClick={() => void page.useCoupon('')}>
          {texts.remove}
        </button>
        {discount.reason !== null && (
          <p class="error" role="status">
            {reasons[discount.reason] ?? texts.couponReasons.coupon_not_applicable}
          </p>
        )}
      </div>
    )
  }
  if (!isOpen) {
    return (
      <button type="button" class="link" onClick={() => open(true)}>
        {texts.addCoupon}
      </button>
    )
  }
  const apply = () => void (code.trim() !== '' && page.useCoupon(code.trim()))
  return (
    <div class="field">
      <label for="coupon">{texts.couponCode}</label>
      <div class="joined">
        <input
          id="coupon"
          value={code}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            apply()
          }}
        />
        <button type="button" onClick={apply}>
          {texts.apply}
        </button>
      </div>
    </div>
  )
}
