import type { CheckoutProduct } from '../../src/sales/pricing-table/checkout-product-schema.ts'

/** What the page shows beside the checkout: the product as anybody may see it. */
export type Product = CheckoutProduct
export type Plan = CheckoutProduct['plans'][number]
export type Pricing = NonNullable<Plan['pricing']>[number]
