import type { TxContext } from '../../context.ts'
import type { Files } from '../../http/body-arguments.ts'
import type { Scope } from '../../access/scope.ts'
import { storePicture } from '../pictures/service.ts'
import type { ProductUpdate } from './input-schema.ts'
import type { ProductRow } from './schema.ts'
import { updateProduct } from './update.ts'

/** Changes a product; a file `icon` becomes its icon. */
export async function rewriteProduct(
  ctx: TxContext,
  scope: Scope,
  { body, files: { icon } }: { readonly body: ProductUpdate; readonly files: Files },
): Promise<ProductRow> {
  return updateProduct(ctx, scope, body, icon && (await storePicture(ctx, scope, icon)))
}
