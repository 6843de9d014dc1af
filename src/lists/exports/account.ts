import { requireOwner, type Scope } from '../../access/scope.ts'
import {
  checkOwnPassword,
  refusedOwnPassword,
  type CheckedPassword,
} from '../../accounts/developers/passwords.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import { isDuplicate } from '../../db/duplicate.ts'
import { invalid, notFound, type Refused } from '../../lib/errors.ts'
import { MINUTE, fromUtcTime, toUtcTime } from '../../lib/time.ts'
import { keptOf } from '../asker.ts'
import { WHOLE } from './kinds.ts'
import type { Export, ExportAddress, NewAccountExport } from './schema.ts'
import { addExport, addressOf, ownExport } from './service.ts'

/** How long an address of the file of an account works. */
const ADDRESS_MS = 15 * MINUTE

interface Asking {
  readonly scope: Scope
  readonly body: Pick<NewAccountExport, 'current_password'>
}

/** The password of the owner, compared before the transaction; 401 `role_not_allowed` for anybody else. */
export async function checkOwner(ctx: ReadContext, { scope, body }: Asking): Promise<CheckedPassword> {
  requireOwner(scope, 'All that the account has')
  return checkOwnPassword(ctx, scope, body.current_password)
}

/**
 * Asks for all that an account has to be written to a file, which the job `write-exports` does (`docs/decisions.md`
 * 3.29). 400 `export_under_way` while another one of the account is, which a unique index settles; 401
 * `invalid_credentials` for a wrong password, which is counted.
 */
export async function askForAccount(
  ctx: TxContext,
  scope: Scope,
  format: NewAccountExport['format'],
  password: CheckedPassword,
): Promise<Export | Refused> {
  const refusal = await refusedOwnPassword(ctx, scope, password)
  if (refusal) return refusal
  const asked = { query: {}, productIds: null, actor: keptOf(scope.actor) }
  try {
    return await addExport(ctx, scope, { asked, kind: WHOLE, columns: '', time_zone: 'UTC', format })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw invalid('export_under_way', 'The account is being written to a file; wait until that is done.')
  }
}

/**
 * An address of the file of an account, for who gives the password again. 404 when it is not there; 401
 * `invalid_credentials` for a wrong password, which is counted.
 */
export async function addressOfAccount(
  ctx: TxContext,
  scope: Scope,
  id: number,
  password: CheckedPassword,
): Promise<ExportAddress | Refused> {
  const refusal = await refusedOwnPassword(ctx, scope, password)
  if (refusal) return refusal
  const row = await ownExport(ctx, scope, id)
  const now = ctx.clock.real()
  const isThere = row.kind === WHOLE && row.expires_at !== null && row.expires_at > toUtcTime(now)
  if (!isThere || row.expires_at === null) throw notFound('export')
  const end = toUtcTime(Math.min(now + ADDRESS_MS, fromUtcTime(row.expires_at)))
  return { url: addressOf(ctx, row, now, end), expires_at: end }
}
