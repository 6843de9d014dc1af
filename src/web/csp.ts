import { hash } from 'node:crypto'

/** What a page may load and run beside what every page of ours may. */
export interface Policy {
  /** Scripts that stand in the page itself: they alone run there. */
  readonly inline?: readonly string[]
  readonly scripts?: readonly string[]
  /** Origins of styles, and the number (`'nonce-…'`) that those of the page's script carry. */
  readonly styles?: readonly string[]
  readonly connects?: readonly string[]
  readonly frames?: readonly string[]
  readonly images?: readonly string[]
  /** Origins that may show the page in a frame; absent: none may. */
  readonly ancestors?: readonly string[]
}

/** What a policy allows a script by that stands in its page: the hash of its text. */
export const sourceOf = (script: string): string => `'sha256-${hash('sha256', script, 'base64')}'`

/** The policy of a page: nothing from elsewhere, and nothing in it runs that was not built into it. */
export function policyOf(policy: Policy): string {
  const inline = (policy.inline ?? []).map(sourceOf)
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...inline, ...(policy.scripts ?? [])],
    'style-src': ["'self'", ...(policy.styles ?? [])],
    'img-src': ["'self'", 'data:', ...(policy.images ?? [])],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...(policy.connects ?? [])],
    'frame-src': ["'self'", ...(policy.frames ?? [])],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': policy.ancestors ?? ["'none'"],
  })
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}
