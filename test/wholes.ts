import type { TxContext } from '../src/context.ts'
import type { Scope } from '../src/access/scope.ts'
import { askForBulk } from '../src/lists/bulk/service.ts'
import { askForExport } from '../src/lists/exports/service.ts'

/** Has nothing of what was asked for wait any more, as if it had failed. */
export async function endWaiting({ db }: TxContext): Promise<void> {
  const over = { state: 'failed', due_at: null } as const
  await db.updateTable('exports').set(over).where('due_at', 'is not', null).execute()
  await db.updateTable('bulks').set(over).where('due_at', 'is not', null).execute()
}

/** An export of an account, and a bulk action of a product with what came of it for a row; neither goes on. */
export async function createWholes(
  tx: TxContext,
  scope: Scope,
): Promise<{ readonly export_id: string; readonly bulk_id: string }> {
  const file = await askForExport(tx, scope, { kind: 'users', time_zone: 'UTC', format: 'csv' })
  const bulk = await askForBulk(tx, scope, { action: 'licenses.resend', ids: '987654321', dry_run: false })
  await endWaiting(tx)
  return { export_id: file.id, bulk_id: bulk.id }
}
