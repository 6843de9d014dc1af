import { hostIn } from '../shared/web-address.ts'
import { flagOf, type WordPress } from './address.ts'
import type { Host } from './host.ts'
import type { CheckoutSite } from './server.ts'

/** What a site tells of itself in its opt-in form that the server takes. */
const TEXTS = [
  'site_uid',
  'site_url',
  'site_name',
  'language',
  'plugin_version',
  'sdk_version',
  'platform_version',
  'programming_language_version',
  'return_url',
] as const
const FLAGS = ['is_premium', 'is_active'] as const

/** The host of the site that will be connected once it is paid; null: none will. */
export function siteToConnect({ isConnected, installData }: WordPress, { frame }: Host): string | null {
  if (isConnected) return null
  const url = frame?.mode === 'dashboard' ? frame.origin : (siteIn(parsed(installData))?.site_url ?? null)
  return url === null ? null : hostIn(url)
}

/** The form of a site; null: it is none. Who pays has not agreed to more than to be connected. */
export function siteIn(told: unknown): CheckoutSite | null {
  if (typeof told !== 'object' || told === null) return null
  const values = told as Readonly<Record<string, unknown>>
  if (typeof values['site_uid'] !== 'string' || values['site_uid'] === '') return null
  return {
    ...Object.fromEntries(TEXTS.flatMap((name) => (textIn(values[name]) ? [[name, values[name]]] : []))),
    ...Object.fromEntries(FLAGS.map((name) => [name, flagOf(String(values[name] ?? '')) === true])),
    is_extensions_tracking_allowed: false,
    is_diagnostic_tracking_allowed: false,
  }
}

const textIn = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** JSON; null for what is none. */
export function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
