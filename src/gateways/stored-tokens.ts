interface TokenForm {
  readonly form: RegExp
  /** What a token must be, in an error. */
  readonly rule: string
  /** A token as it is kept, where somebody has it as the gateway itself writes it; absent: it is kept so. */
  readonly kept?: (text: string) => string
}

/** The token of a method that PayPal has stored. */
export const tokenOfVault = (id: string): string => `vault ${id}`

/** How the token of a stored method is written at a gateway, by its name: without one it cannot be charged again. */
export const STORED_TOKENS = {
  stripe: {
    form: /^(cus_\w+) (pm_\w+) ([a-z_]+)$/,
    rule: 'must be customer, method and type at Stripe: cus_… pm_… card',
  },
  paypal: {
    form: /^(vault|customer) ([\w-]{1,36})$/,
    rule: "must be the id that PayPal's vault has for the method, with vault before it or alone",
    kept: (text) => (/^[\w-]{1,36}$/.test(text) ? tokenOfVault(text) : text),
  },
} as const satisfies Readonly<Record<string, TokenForm>>

/** How tokens are written at a gateway; undefined: any text may be one. */
export const formOf = (gateway: unknown): TokenForm | undefined =>
  Object.entries<TokenForm>(STORED_TOKENS).find(([name]) => name === gateway)?.[1]
