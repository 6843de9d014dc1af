/** What the page shows beside the checkout: the product as anybody may see it. */
export interface Product {
  readonly id: string
  readonly title: string
  readonly icon: string | null
  readonly plans: readonly Plan[]
  readonly selling_unit_label: { readonly singular: string; readonly plural: string }
  readonly terms_url: string | null
  readonly privacy_url: string | null
}

export interface Plan {
  readonly id: string
  readonly title: string
  readonly pricing: readonly Pricing[]
}

export interface Pricing {
  readonly id: string
  readonly licenses: number | null
  readonly currency: string
  readonly monthly_price: number | null
  readonly annual_price: number | null
  readonly lifetime_price: number | null
}
