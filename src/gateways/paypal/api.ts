/** What PayPal's descriptions call so, as far as it is asked for. */
export interface Money {
  readonly currency_code: string
  readonly value: string
}

export interface Link {
  readonly rel: string
  readonly href: string
}

type Links = readonly Link[] | undefined

/** Where a buyer approves, or what a resource was made of; null when no link says. */
export const linked = (links: Links, ...rels: readonly string[]): string | null =>
  links?.find(({ rel }) => rels.includes(rel))?.href ?? null

export interface Capture {
  readonly id: string
  readonly status: string
  readonly amount: Money
  readonly custom_id?: string
  readonly seller_receivable_breakdown?: {
    readonly paypal_fee?: Money
    readonly exchange_rate?: { readonly target_currency?: string; readonly value?: string }
  }
  readonly supplementary_data?: { readonly related_ids?: { readonly order_id?: string } }
  readonly links?: readonly Link[]
}

export interface Refund {
  readonly id: string
  readonly status: string
  readonly amount: Money
  readonly custom_id?: string
  readonly links?: readonly Link[]
}

export interface Customer {
  readonly id?: string
}

export interface Order {
  readonly id: string
  readonly status: string
  readonly intent?: string
  readonly purchase_units?: readonly {
    readonly reference_id?: string
    readonly custom_id?: string
    readonly payments?: { readonly captures?: readonly Capture[]; readonly refunds?: readonly Refund[] }
  }[]
  readonly payment_source?: {
    readonly paypal?: {
      readonly attributes?: { readonly vault?: { readonly id?: string; readonly customer?: Customer } }
    }
  }
  readonly links?: readonly Link[]
}

export interface SetupToken {
  readonly id: string
  readonly status?: string
  readonly customer?: Customer
  readonly links?: readonly Link[]
}

export interface PaymentToken {
  readonly id: string
  readonly customer?: Customer
}

export interface Dispute {
  readonly dispute_id: string
  readonly status: string
  readonly dispute_life_cycle_stage?: string
  readonly dispute_amount?: Money
  readonly dispute_outcome?: { readonly outcome_code?: string }
  readonly disputed_transactions?: readonly {
    readonly seller_transaction_id?: string
    readonly gross_amount?: Money
  }[]
  readonly money_movements?: readonly {
    readonly affected_party?: string
    readonly type?: string
    readonly reason?: string
    readonly amount?: Money
  }[]
}

/** What PayPal reports. */
export interface Event {
  readonly id: string
  readonly event_type: string
  readonly create_time: string
  readonly resource: Readonly<Record<string, unknown>>
}
