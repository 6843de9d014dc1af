import { badSetting, ConfigError } from './config-error.ts'
import { readOffered, type Offered } from './offered-settings.ts'
import type { Variables } from './variables.ts'

export interface StripeConfig {
  /** `sk_live_…` or `rk_live_…` takes live payments, `sk_test_…` or `rk_test_…` those of the sandbox. */
  readonly secretKey: string
  readonly webhookSecret: string
  /** `pk_…` of the same mode, with which a page shows Stripe's form; absent: none of ours does. */
  readonly publishableKey?: string
  /** Without a slash at the end; null: Stripe's own address. */
  readonly apiBase: string | null
  /** To whom it is offered; absent: to all. */
  readonly offered?: Offered
}

/** Reads `KEYWRIGHT_STRIPE_SECRET_KEY` and its companions; null without them. ConfigError, which never tells a secret. */
export function readStripeSettings(read: Variables): StripeConfig | null {
  const secretKey = read.text('KEYWRIGHT_STRIPE_SECRET_KEY')
  const webhookSecret = read.text('KEYWRIGHT_STRIPE_WEBHOOK_SECRET')
  const apiBase = read.address('KEYWRIGHT_STRIPE_API_BASE')
  if (secretKey === null && webhookSecret === null) return null
  const [, mode] = /^[rs]k_(live|test)_\w+$/.exec(secretKey ?? '') ?? []
  if (mode === undefined)
    throw new ConfigError(
      'KEYWRIGHT_STRIPE_SECRET_KEY must begin with sk_live_, rk_live_, sk_test_ or rk_test_, got something else',
    )
  if (!webhookSecret?.startsWith('whsec_'))
    throw new ConfigError(
      'KEYWRIGHT_STRIPE_WEBHOOK_SECRET must begin with whsec_ and be set with KEYWRIGHT_STRIPE_SECRET_KEY, got something else',
    )
  const more = { ...publishable(read, mode), ...readOffered(read, 'KEYWRIGHT_STRIPE') }
  return { secretKey: secretKey ?? '', webhookSecret, apiBase, ...more }
}

function publishable(read: Variables, mode: string): Pick<StripeConfig, 'publishableKey'> {
  const name = 'KEYWRIGHT_STRIPE_PUBLISHABLE_KEY'
  const publishableKey = read.text(name)
  if (publishableKey === null) return {}
  if (publishableKey.startsWith(`pk_${mode}_`) && /^\w+$/.test(publishableKey)) return { publishableKey }
  // What was taken for it may be the secret key.
  throw badSetting(
    name,
    `a key that begins with pk_${mode}_, as the secret key is`,
    `${publishableKey.slice(0, 8)}…`,
  )
}
