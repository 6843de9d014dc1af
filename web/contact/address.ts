import { webAddress } from '../shared/web-address.ts'

/** What the address of the page says, as the WordPress plugin makes it (`docs/checkout.md`). */
export interface Address {
  readonly publicKey: string | null
  readonly version: string | null
  readonly siteUrl: string | null
  /** What proves the site it is opened from. */
  readonly proof: Readonly<Record<string, string>>
  readonly topic: string | null
  readonly summary: string
  readonly message: string
  readonly language: string | null
  /** Where the page in a tab of its own leads back to; null: nowhere that may be trusted. */
  readonly back: string | null
}

/** How long what is typed may be: together with the version they fit into one message of the interface. */
export const LONGEST = { name: 100, email: 254, topic: 100, summary: 200, message: 9_500 } as const

const PROOF = ['s_ctx_type', 's_ctx_id', 's_ctx_ts', 's_ctx_secure'] as const

export function readAddress(search: string): Address {
  const query = new URLSearchParams(search)
  const get = (...names: readonly string[]): string | null =>
    names.map((name) => query.get(name) ?? '').find((value) => value !== '' && value !== 'null') ?? null
  const isAlone = ['1', 'true'].includes(get('is_standalone') ?? '')
  return {
    publicKey: get('plugin_public_key', 'public_key'),
    version: get('plugin_version')?.slice(0, 50) ?? null,
    siteUrl: get('site_url', 'wp_login_url')?.slice(0, 2048) ?? null,
    proof: Object.fromEntries(
      PROOF.flatMap((name) => {
        const value = get(name)
        return value === null ? [] : [[name, value]]
      }),
    ),
    topic: get('topic')?.slice(0, LONGEST.topic) ?? null,
    summary: (get('summary') ?? '').slice(0, LONGEST.summary),
    message: (get('message') ?? '').slice(0, LONGEST.message),
    language: get('locale', 'language'),
    back: isAlone ? webAddress(get('parent_url')) : null,
  }
}
