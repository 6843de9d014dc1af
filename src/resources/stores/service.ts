import type { TxContext } from '../../context.ts'
import { systemScope } from '../../http/scope.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../events/record.ts'
import { insertStore } from './queries.ts'

/** Opens a store of a developer; returns its id. */
export async function createStore(
  ctx: TxContext,
  input: { readonly developerId: number; readonly title: string },
): Promise<number> {
  const { publicKey, secretKey } = newKeyPair()
  const { id } = await insertStore(ctx.db, {
    developer_id: input.developerId,
    title: input.title,
    public_key: publicKey,
    secret_key: ctx.keys.seal(secretKey, 'stores.secret_key'),
    created: toUtcTime(ctx.clock.real()),
    updated: null,
  })
  const scope = systemScope({ developerId: input.developerId, productId: 0 })
  await recordEvent(ctx, scope, { type: 'store.created', data: { store_id: String(id) } })
  return id
}
