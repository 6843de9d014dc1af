import { badSetting, ConfigError } from './config-error.ts'
import { readOffered, type Offered } from './offered-settings.ts'
import type { Variables } from './variables.ts'

export interface PaypalConfig {
  readonly clientId: string
  readonly clientSecret: string
  /** Of the webhook of this server at the wallet, which signs for it. */
  readonly webhookId: string
  /** `live` takes live payments, `sandbox` those of the sandbox. */
  readonly mode: 'live' | 'sandbox'
  /** Without a slash at the end; null: the wallet's own address for the mode. */
  readonly apiBase: string | null
  /** Whether a page of the checkout shows the wallet's own button, by its own script. */
  readonly hasButton?: true
  /** To whom it is offered; absent: to all. */
  readonly offered?: Offered
}

/** Reads `KEYWRIGHT_PAYPAL_CLIENT_ID` and its companions; null without them. ConfigError, which never tells a secret. */
export function readPaypalSettings(read: Variables): PaypalConfig | null {
  const clientId = read.text('KEYWRIGHT_PAYPAL_CLIENT_ID')
  const clientSecret = read.text('KEYWRIGHT_PAYPAL_CLIENT_SECRET')
  const webhookId = read.text('KEYWRIGHT_PAYPAL_WEBHOOK_ID')
  const apiBase = read.address('KEYWRIGHT_PAYPAL_API_BASE')
  if (clientId === null && clientSecret === null && webhookId === null) return null
  if (!isCredential(clientId) || !isCredential(clientSecret))
    throw new ConfigError(
      'KEYWRIGHT_PAYPAL_CLIENT_ID and KEYWRIGHT_PAYPAL_CLIENT_SECRET must be those of one app of the wallet, got something else',
    )
  if (webhookId === null || !/^[a-zA-Z0-9]{1,50}$/.test(webhookId))
    throw badSetting(
      'KEYWRIGHT_PAYPAL_WEBHOOK_ID',
      'the id of a webhook, set with KEYWRIGHT_PAYPAL_CLIENT_ID',
      webhookId ?? '',
    )
  const mode = modeOf(read.text('KEYWRIGHT_PAYPAL_MODE'))
  const more = { ...buttonOf(read), ...readOffered(read, 'KEYWRIGHT_PAYPAL') }
  return { clientId, clientSecret, webhookId, mode, apiBase, ...more }
}

const isCredential = (text: string | null): text is string => text !== null && /^[\w-]{10,200}$/.test(text)

function buttonOf(read: Variables): Pick<PaypalConfig, 'hasButton'> {
  const name = 'KEYWRIGHT_PAYPAL_BUTTON'
  const said = read.text(name) ?? 'off'
  if (said !== 'on' && said !== 'off') throw badSetting(name, 'on or off', said)
  return said === 'on' ? { hasButton: true } : {}
}

/** It is never guessed: credentials do not tell it. */
function modeOf(mode: string | null): PaypalConfig['mode'] {
  if (mode === 'live' || mode === 'sandbox') return mode
  throw badSetting('KEYWRIGHT_PAYPAL_MODE', 'live or sandbox', mode ?? '')
}
