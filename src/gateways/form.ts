import type { StoredMethod } from './gateway.ts'

/** How a page asks for a method of payment. */
export interface GatewayForm {
  /** With which the gateway's own form is shown; null: it is not set up, or there is none. */
  readonly publishableKey: string | null
  readonly methods: readonly StoredMethod['kind'][]
  /**
   * Hosts that its script is loaded from, calls and opens frames of, and whose styles it puts into the page: no page
   * loads anything else that is not ours.
   */
  readonly loads?: Readonly<Record<'scripts' | 'connects' | 'frames' | 'styles', readonly string[]>>
  /** Tokens that stand for what happens, each with what that is; none where money is moved. */
  readonly tokens: readonly { readonly token: string; readonly does: string }[]
}
