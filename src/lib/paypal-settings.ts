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
  return { clientId, clientSecret, webhookId, mode, apiBase, ...readOffered(read, 'KEYWRIGHT_PAYPAL') }
}

const isCredential = (text: string | null): text is string => text !== null && /^[\w-]{10,200}$/.test(text)

/** It is never guessed: credentials do not tell it. */
function modeOf(mode: string | null): PaypalConfig['mode'] {
  if (mode === 'live' || mode === 'sandbox') return mode
  throw badSetting('KEYWRIGHT_PAYPAL_MODE', 'live or sandbox', mode ?? '')
}
