import { usePage } from '../page.ts'
import type { Checkout } from '../server.ts'

const EXAMPLE = {
  email: 'buyer@example.com',
  first: 'Ada',
  last: 'Lovelace',
  country: 'US',
  region: 'CA',
} as const

/** The sandbox: how the payment ends is chosen, and one button fills in the rest. */
type Tokens = NonNullable<Checkout['payment']>['tokens']

export function TestPayment({ tokens }: { readonly tokens: Tokens }) {
  const page = usePage()
  const { texts, state } = page
  const fillIn = () => {
    for (const [field, value] of Object.entries(EXAMPLE)) {
      const name = field as keyof typeof EXAMPLE
      if (!page.isFixed(name)) page.store.type(name, value)
    }
    void page.store.flush()
  }
  return (
    <div class="sandbox">
      <p>{texts.testModeMore}</p>
      <label for="field-testToken">{texts.testToken}</label>
      <select
        id="field-testToken"
        value={state.input.testToken}
        onChange={({ currentTarget }) => {
          page.host.track('cc')
          page.store.type('testToken', currentTarget.value)
        }}
      >
        {tokens.map(({ token, does }) => (
          <option key={token} value={token}>
            {textOf(texts.testPayments, token) ?? does}
          </option>
        ))}
      </select>
      <button type="button" onClick={fillIn}>
        {texts.prefill}
      </button>
    </div>
  )
}

const textOf = (texts: Readonly<Record<string, string>>, token: string): string | undefined => texts[token]
