import { Type, type Static } from '../../lib/type.ts'
import { SellingUnit } from '../../http/selling-unit.ts'
import { Arguments, Choice, Id, IdText, Nullable } from '../../http/wire.ts'
import { PRODUCT_TYPES } from '../../catalogue/products/types.ts'
import { REFUND_POLICIES } from '../../catalogue/products/product.entity.ts'
import { Review } from '../../catalogue/reviews/schema.ts'
import { PaymentForm } from '../checkouts/front/show.ts'
import { PlanOfTable } from './pricing-table-schema.ts'

export const CheckoutProductId = Arguments({ product_id: Id('Product.') })

export const CheckoutProductQuery = Arguments({
  environment: Choice([0, 1], { default: 0, description: '1: with what is paid by in the sandbox.' }),
})
export type CheckoutProductQuery = Static<typeof CheckoutProductQuery>

/** What the page of a checkout shows of its product, whatever is bought. */
export const CheckoutProduct = Type.Object(
  {
    id: IdText(),
    public_key: Type.String(),
    title: Type.String(),
    type: Choice(PRODUCT_TYPES),
    icon: Nullable(Type.String()),
    logo: Nullable(
      Type.String({ description: 'What the seller shows on the page in the place of the icon.' }),
    ),
    accent: Nullable(Type.String({ description: 'The colour of the page, `#` and six digits.' })),
    keywright_badge: Type.Boolean({ description: 'Whether the page says by which software it is made.' }),
    is_active: Type.Boolean({ description: 'false: nothing is sold; what was sold is renewed.' }),
    selling_unit_label: SellingUnit,
    money_back_period: Type.Integer({ description: 'Days.' }),
    refund_policy: Choice(REFUND_POLICIES),
    is_consumptive_usage: Type.Boolean(),
    terms_url: Nullable(Type.String()),
    privacy_url: Nullable(Type.String()),
    support_email: Nullable(Type.String()),
    embed_hosts: Type.Array(Type.String(), { description: 'Whose pages may hold it; none: all.' }),
    plans: Type.Array(PlanOfTable, { description: 'Those that are shown, in the order of the seller.' }),
    reviews: Type.Array(Review, { description: 'Verified and featured ones, the newest first.' }),
    payment: Nullable(PaymentForm),
    languages: Type.Array(Type.String(), { description: 'In which buyers are mailed.' }),
    waiver: Type.Array(Type.Object({ language: Type.String(), text: Type.String() }), {
      description: 'What a consumer of the EU agrees to who is given a download at once.',
    }),
  },
  { title: 'CheckoutProduct' },
)
export type CheckoutProduct = Static<typeof CheckoutProduct>
