import { hash } from 'node:crypto'
import { sellingUnitOf } from '../../http/selling-unit.ts'
import type { Context, ReadContext } from '../../context.ts'
import type { State } from '../../http/operation.ts'
import { takers } from '../../gateways/choose.ts'
import type { GatewayForm } from '../../gateways/form.ts'
import { notFound } from '../../lib/errors.ts'
import { VERSION } from '../../lib/version.ts'
import { LANGUAGES } from '../../mail/texts/texts.ts'
import { pictureUrl } from '../../lib/pictures.ts'
import { presentShownReview } from '../../catalogue/reviews/schema.ts'
import { paymentForm, WAIVER } from '../checkouts/front/show.ts'
import { findCheckoutProduct, type CheckoutProductRow } from './checkout-product-queries.ts'
import type { CheckoutProduct, CheckoutProductQuery } from './checkout-product-schema.ts'
import { nestedPlans } from './pricing-table-plans.ts'
import { featuredReviews, featureValuesOfProduct, plansOfProduct } from './pricing-table-queries.ts'

type PageContext = ReadContext & Pick<Context, 'gateways'>

interface Shown {
  readonly product: CheckoutProductRow
  readonly payment: CheckoutProduct['payment']
  /** Of every gateway that may be offered to a buyer of it, whatever the buyer pays in and from where. */
  readonly forms: readonly GatewayForm[]
}

/**
 * The product of a page, from one statement, and the name of the state it is in: all that was read of it, the version of
 * its catalogue with it, and how it is paid. 404 when there is none.
 */
export async function pageState(
  ctx: PageContext,
  productId: number,
  { environment }: CheckoutProductQuery,
): Promise<State<Shown>> {
  const [product] = await findCheckoutProduct(ctx.db, { productId })
  if (!product) throw notFound('product')
  const wanted = { environment, accepted: product.accepted_payments }
  const payment = paymentForm(ctx.gateways, wanted)
  const forms = takers(ctx.gateways, wanted).flatMap(({ form }) => form ?? [])
  const all = JSON.stringify([VERSION, ctx.baseUrl, product, payment, forms])
  return { tag: hash('sha256', all).slice(0, 32), known: { product, payment, forms } }
}

/** What a page shows of the product that `pageState` found; plans with hidden prices only are left out as in a table. */
export async function checkoutProduct(
  ctx: PageContext,
  { product, payment }: Shown,
): Promise<CheckoutProduct> {
  const productId = product.id
  const [rows, values, reviews] = await Promise.all([
    plansOfProduct(ctx.db, { productId }),
    featureValuesOfProduct(ctx.db, { productId }),
    featuredReviews(ctx.db, { productId }),
  ])
  const isSold = product.is_active
  return {
    ...aboutOf(ctx, product),
    plans: isSold ? nestedPlans(product, rows, values, { type: 'visible', show_pending: true }) : [],
    reviews: reviews.map((review) => presentShownReview(review, ctx)),
    payment,
    languages: [...LANGUAGES],
    waiver: [...WAIVER],
  }
}

const aboutOf = (ctx: ReadContext, product: CheckoutProductRow) => ({
  id: String(product.id),
  public_key: product.public_key,
  title: product.title,
  type: product.type,
  icon: pictureUrl(ctx, product.icon),
  logo: product.checkout_logo_url,
  accent: product.checkout_accent,
  keywright_badge: product.keywright_badge,
  is_active: product.is_active,
  selling_unit_label: sellingUnitOf(product),
  money_back_period: product.money_back_period,
  refund_policy: product.refund_policy,
  is_consumptive_usage: product.is_consumptive_usage,
  terms_url: product.terms_url,
  privacy_url: product.privacy_url,
  support_email: product.support_email,
  embed_hosts: JSON.parse(product.embed_hosts) as string[],
})
