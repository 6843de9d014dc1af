import type { TxContext } from '../src/context.ts'
import type { Scope } from '../src/access/scope.ts'
import { excluding } from '../src/db/hold.ts'
import { insertAsked, replaceReport } from '../src/imports/asked/queries.ts'
import { NOTHING_YET } from '../src/imports/begun-rows.ts'
import { DAY } from '../src/lib/time.ts'
import { askForBulk } from '../src/lists/bulk/service.ts'
import { askForExport } from '../src/lists/exports/service.ts'

/** Has nothing of what was asked for wait any more, as if it had failed. */
export async function endWaiting({ db }: TxContext): Promise<void> {
  const over = { state: 'failed', due_at: null } as const
  await db.updateTable('exports').set(over).where('due_at', 'is not', null).execute()
  await db.updateTable('bulks').set(over).where('due_at', 'is not', null).execute()
  await db.updateTable('imports').set(over).where('due_at', 'is not', null).execute()
}

/** An import of an account that waits to be started, or that is finished. */
export async function createImport(
  tx: TxContext,
  { developerId }: Pick<Scope, 'developerId'>,
  state: 'checked' | 'finished',
): Promise<number> {
  // One of an account is under way: whoever else asks for one waits.
  const account = tx.db.selectFrom('developers').select('id').where('id', '=', developerId)
  await excluding(tx.db, account).execute()
  await endWaiting(tx)
  const { id } = await insertAsked(tx.db, {
    ...NOTHING_YET,
    developer_id: developerId,
    source: 'files',
    state,
    row_count: 2,
    bad: 1,
    kinds: JSON.stringify([USERS]),
    created: tx.clock.now(),
    due_at: state === 'checked' ? tx.clock.real() + DAY : null,
  })
  const line = {
    part: 'check',
    kind: 'users',
    file: 'users.csv',
    line: 2,
    row_key: null,
    field: 'email',
  } as const
  await replaceReport(tx.db, id, [{ ...line, code: 'wrong_form', message: 'must be an address for mail' }])
  return id
}

const USERS = {
  kind: 'users',
  file: 'users.csv',
  looked_at: 2,
  written: 0,
  add: 1,
  change: 0,
  same: 0,
  kept: 0,
  bad: 1,
}

interface Wholes {
  readonly export_id: string
  readonly bulk_id: string
  readonly import_id: string
}

/**
 * An export and an import of an account, and a bulk action of a product with what came of it for a row; none of them
 * goes on.
 */
export async function createWholes(tx: TxContext, scope: Scope): Promise<Wholes> {
  const file = await askForExport(tx, scope, { kind: 'users', time_zone: 'UTC', format: 'csv' })
  const bulk = await askForBulk(tx, scope, { action: 'licenses.resend', ids: '987654321', dry_run: false })
  const importId = await createImport(tx, scope, 'finished')
  return { export_id: file.id, bulk_id: bulk.id, import_id: String(importId) }
}
