import { Button } from '@mantine/core'
import { Refusal, useDoing } from '../ui/doing.tsx'

interface Leading {
  readonly text: string
  /** What the calls about the license begin with. */
  readonly license: string
  /** What it is for; empty: to change or renew it. */
  readonly wanted?: { readonly is_payment_method_update?: true }
  readonly isFirst?: boolean
}

/** Leads to the checkout of a license, which shows what it costs before anything is paid. */
export function ToCheckout({ text, license, wanted = {}, isFirst = false }: Leading) {
  const leading = useDoing<{ readonly url: string }>(({ url }) => window.location.assign(url))
  return (
    <>
      <Button
        variant={isFirst ? 'filled' : 'default'}
        loading={leading.isBusy}
        onClick={() => leading.send({ method: 'POST', path: `${license}/checkout/link.json`, body: wanted })}
      >
        {text}
      </Button>
      <Refusal problem={leading.problem} />
    </>
  )
}
