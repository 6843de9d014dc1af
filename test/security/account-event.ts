import type { TxContext } from '../../src/context.ts'
import type { Scope } from '../../src/access/scope.ts'
import { recordFor } from '../../src/events/log/record.ts'

/** An event of the account of a scope that is about no product. */
export async function newAccountEvent({ tx, scope }: { readonly tx: TxContext; readonly scope: Scope }) {
  const data = { from: '', to: 'https://shop.example.com' }
  const id = await recordFor(tx, { ...scope, productId: 0 }, { type: 'store.url.updated', data })
  return { event_id: String(id) }
}
