import { tagOf } from '../shared/language.ts'
import { webAddress } from '../shared/web-address.ts'

/** How the checkout is shown: over a shop, as a page of its own, or in a dashboard of WordPress. */
export type Mode = 'dialog' | 'page' | 'dashboard'

/** What the address of a checkout asks for (`docs/selling.md`). */
export interface Address {
  readonly mode: Mode
  readonly productId: string
  /** What the checkout is opened with; the names are those of the interface. */
  readonly opens: Readonly<Record<string, string | boolean>>
  readonly look: Look
  readonly hides: ReadonlySet<Hidden>
  readonly language: string | null
  /** Where the way back leads; null: nowhere that may be trusted. */
  readonly cancelUrl: string | null
  readonly wordpress: WordPress | null
  /** Whether who buys is shown as the address says it, and not changed. */
  readonly isBuyerFixed: boolean
}

export interface Look {
  readonly title: string | null
  readonly subtitle: string | null
  readonly image: string | null
  readonly modalTitle: string | null
  readonly id: string | null
  readonly formFirst: boolean
  /** One column, however much room there is. */
  readonly isVertical: boolean
  /** Over a shop: the whole of the screen. */
  readonly isFullscreen: boolean
  /** The picture on the way back. */
  readonly cancelIcon: string | null
  readonly cycles: CycleSelector
  readonly hasReview: boolean
  /** Null: the newest one. */
  readonly reviewId: string | null
  /** Whether the terms of refunds stand below the form, not below what is paid. */
  readonly refundsBelowForm: boolean
}

export type CycleSelector = 'list' | 'responsive_list' | 'dropdown'

export type Hidden =
  'coupon' | 'licenses' | 'cycles' | 'monthly' | 'saving' | 'currency' | 'license key' | 'refund badge'

/** A site whose dashboard leads here. */
export interface WordPress {
  /** Where the buyer goes after buying, as it is: it holds a signature. */
  readonly returnUrl: string | null
  readonly isConnected: boolean
  readonly installData: string | null
  /** Whether the dashboard is asked to fetch and install the paid build. */
  readonly isAutoInstall: boolean
}

const CYCLES: Readonly<Record<string, string>> = { '1': 'monthly', '12': 'annual', '0': 'lifetime' }
const UNLIMITED = new Set(['0', 'null', 'unlimited'])
const TRUE = new Set(['1', 'true', 'yes', 'on'])
const FALSE = new Set(['0', 'false', 'no', 'off'])

/** Arguments of the interface that come as they are. */
const SAME = [
  'pricing_id',
  'default_currency',
  'coupon',
  'license_key',
  'license_id',
  'authorization',
  'user_email',
  'user_firstname',
  'user_lastname',
  'user_token',
  'sandbox',
  's_ctx_ts',
  's_ctx_type',
  's_ctx_id',
  's_ctx_secure',
  'cart_token',
  '__fs_authorization',
  '__fs_auth_date',
  '__fs_expires_in',
  'country_code',
  'zip_postal_code',
  'region',
  'vat_id',
  'business_name',
  'address_street',
  'address_apt',
  'address_city',
] as const

/** Reads path and query of a checkout's address; whatever it does not know is left alone. */
export function readAddress(path: string, search: string): Address {
  const places = placesIn(path)
  const query = new URLSearchParams(search)
  const get = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const value = query.get(name) ?? places.get(name) ?? ''
      if (value !== '' && value !== 'null') return value
    }
    return null
  }
  const is = (name: string): boolean | null => flagOf(get(name))
  return {
    mode: modeOf(get('mode')),
    productId: get('product_id', 'plugin_id', 'product', 'plugin', 'app') ?? '',
    opens: { ...sameOf(get), ...offerOf(get, query.get('licenses') ?? places.get('licenses') ?? null) },
    look: lookOf(get, is),
    hides: hiddenOf(is),
    language: languageOf(get('locale', 'language')),
    cancelUrl: webAddress(get('cancel_url')),
    wordpress: siteOf(get),
    isBuyerFixed: is('readonly_user') === true,
  }
}

type Get = (...names: readonly string[]) => string | null
type Is = (name: string) => boolean | null

/** `/mode/page/product/1/plan/2/` as names and values. */
function placesIn(path: string): ReadonlyMap<string, string> {
  const parts = path.split('/').filter((part) => part !== '' && part !== 'checkout')
  const places = new Map<string, string>()
  for (let at = 0; at + 1 < parts.length; at += 2) places.set(parts[at] ?? '', decoded(parts[at + 1] ?? ''))
  const plan = places.get('plan')
  if (plan !== undefined) places.set('plan_id', plan)
  return places
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Yes or no as clients write it; null: neither. */
export function flagOf(text: string | null): boolean | null {
  const value = text?.toLowerCase() ?? ''
  if (TRUE.has(value)) return true
  return FALSE.has(value) ? false : null
}

function modeOf(text: string | null): Mode {
  if (text === 'dialog' || text === 'dashboard') return text
  return 'page'
}

const sameOf = (get: Get): Record<string, string> =>
  present(Object.fromEntries(SAME.map((name) => [name, get(name)])))

function offerOf(get: Get, licenses: string | null): Record<string, string | boolean> {
  const cycle = get('billing_cycle')
  const isUpdate = flagOf(get('is_payment_method_update')) ?? flagOf(get('dunning'))
  return present({
    plan_id: get('plan_id'),
    billing_cycle: cycle === null ? null : (CYCLES[cycle] ?? cycle.toLowerCase()),
    currency: get('currency')?.toLowerCase() ?? null,
    licenses: UNLIMITED.has(licenses ?? '') ? 'unlimited' : licenses,
    trial: trialOf(get('trial')),
    is_payment_method_update: isUpdate === true ? true : null,
    cart: flagOf(get('cart')) === false ? false : null,
    gdpr: consentOf(get('gdpr')),
  })
}

const consentOf = (text: string | null): string | null =>
  text === 'opt_out' || text === 'hidden' ? text : null

/** What is there, without names that have no value. */
const present = <T>(values: Readonly<Record<string, T | null>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [[name, value]],
    ),
  )

function trialOf(text: string | null): string | null {
  const value = text?.toLowerCase() ?? ''
  if (value === 'free' || value === 'paid') return value
  return TRUE.has(value) ? 'true' : null
}

const lookOf = (get: Get, is: Is): Look => ({
  title: get('title', 'name'),
  subtitle: get('subtitle'),
  image: webAddress(get('image')),
  modalTitle: get('modal_title'),
  id: get('id'),
  formFirst: get('form_position') === 'left',
  isVertical: get('layout') === 'vertical',
  isFullscreen: is('fullscreen') === true,
  cancelIcon: webAddress(get('cancel_icon')),
  cycles: cyclesOf(get('billing_cycle_selector')),
  hasReview: is('show_reviews') ?? get('review_id') !== null,
  reviewId: get('review_id'),
  refundsBelowForm: get('refund_policy_position') === 'below_form',
})

const cyclesOf = (text: string | null): CycleSelector =>
  text === 'list' || text === 'responsive_list' ? text : 'dropdown'

const hiddenOf = (is: Is): ReadonlySet<Hidden> => {
  const hidden: readonly (readonly [Hidden, boolean])[] = [
    ['coupon', is('hide_coupon') === true],
    ['licenses', is('hide_licenses') === true || is('disable_licenses_selector') === true],
    ['cycles', is('hide_billing_cycles') === true],
    ['monthly', (is('show_monthly_switch') ?? is('show_monthly')) === false],
    ['saving', is('annual_discount') === false],
    ['license key', is('hide_license_key') === true],
    ['currency', is('show_inline_currency_selector') === false],
    ['refund badge', is('show_refund_badge') === false],
  ]
  return new Set(hidden.flatMap(([name, isHidden]) => (isHidden ? [name] : [])))
}

/** `de_DE` is `de-DE`; null: the browser's. */
const languageOf = (text: string | null): string | null =>
  text === null || text.startsWith('auto') ? null : tagOf(text)

/** As `webAddress`, letter by letter as it was given. */
const sameAddress = (text: string | null): string | null => (webAddress(text) === null ? null : text)

/** Null where nothing says that a dashboard leads here: a way back alone could be anybody's. */
function siteOf(get: Get): WordPress | null {
  const returnUrl = sameAddress(get('return_url'))
  const installData = get('install_data')
  const isConnected = get('s_ctx_type') === 'install' && get('s_ctx_secure') !== null
  const isDashboard = modeOf(get('mode')) === 'dashboard' && returnUrl !== null
  if (!isDashboard && installData === null && !isConnected) return null
  const isAutoInstall = flagOf(get('auto_install')) === true && flagOf(get('can_install')) !== false
  return { returnUrl, isConnected, installData, isAutoInstall }
}
