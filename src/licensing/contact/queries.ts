import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'

/** A product whose public key a page says, and whom its customers write to where its sender addresses do not say it. */
export const findContacted = prepared((db, { id }: { readonly id: number }) =>
  unscoped(db, 'the page names the product, and has its public key compared')
    .selectFrom('products')
    .select(['id', 'developer_id', 'public_key', 'support_email'])
    .where('id', '=', id),
)
