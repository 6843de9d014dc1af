import { useEffect, useRef, useState } from 'preact/hooks'
import { StripeForm } from '../pay/stripe.ts'
import { usePage } from '../page.ts'
import { problemOf } from '../store.ts'

interface About {
  /** The publishable key. */
  readonly stripe: string
}

/** The form of the card processor, loaded when the page shows it and kept at what is paid. */
export function CardForm({ stripe: key }: About) {
  const page = usePage()
  const place = useRef<HTMLDivElement>(null)
  const [form, shown] = useState<StripeForm | null>(null)
  const { checkout } = page.state
  useEffect(() => {
    if (!place.current || !checkout) return
    const about = {
      key,
      language: page.language,
      isDark: matchMedia('(prefers-color-scheme: dark)').matches,
      isFramed: page.host.frame !== null,
    }
    StripeForm.show(place.current, checkout, about).then(
      (loaded) => {
        page.form = loaded
        shown(loaded)
      },
      (error: unknown) => page.store.refuse(problemOf(error)),
    )
  }, [page, key])
  useEffect(() => {
    if (checkout) form?.keepUp(checkout)
  }, [form, checkout])
  return (
    <div ref={place} class="card-form" onFocusIn={() => page.host.track('cc')}>
      {form === null && <div class="spinner" aria-hidden="true" />}
    </div>
  )
}
