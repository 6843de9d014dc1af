import type { Reader } from '../db/database.ts'
import { ERASED_DETAILS } from '../db/dialect.ts'
import type { TxContext } from '../context.ts'
import { audit } from './audit.ts'
import { auditsAfter, linkAt, redactRow, type AuditRow } from './audit-queries.ts'
import { linkHash } from './verify-audit.ts'

/** What a row of the audit log says of somebody who is erased. */
export interface Told {
  /** Its details do. */
  readonly details: boolean
  /** Its address of the net is that person's. */
  readonly ip: boolean
}

interface Span {
  readonly developerId: number
  /** The last id that was looked at before. */
  readonly after: number
  readonly limit: number
  /** What each of some rows tells. */
  readonly tells: (rows: readonly AuditRow[]) => Promise<readonly Told[]>
}

export interface AuditLook {
  readonly rows: readonly (AuditRow & { readonly told: Told })[]
  /** The last id that was looked at; null: there are no more. */
  readonly last: number | null
  /** A row that tells of the person has no place in the chain yet: look again, when it has one. */
  readonly isEarly: boolean
}

/** Which of some rows of the audit log, those of an account and nobody's, are to be redacted. */
export async function auditsToRedact(
  db: Reader,
  { developerId, after, limit, tells }: Span,
): Promise<AuditLook> {
  const found = await auditsAfter(db, { developerId, id: after, limit })
  const all = await tells(found)
  const rows = found.flatMap((row, index) => {
    const told = all[index]
    const isToDo = told && ((told.details && row.details !== ERASED_DETAILS) || (told.ip && row.ip !== null))
    return isToDo ? [{ ...row, told }] : []
  })
  return {
    rows: rows.filter(({ seq }) => seq !== null),
    last: found.length === limit ? (found.at(-1)?.id ?? null) : null,
    isEarly: rows.some(({ seq }) => seq === null),
  }
}

/**
 * Takes out of chained rows what they tell of somebody who is erased, and writes down what each is from then on, as a
 * row of its own that is chained too: the links stay, and the chain can be checked as before
 * (`docs/security-checks.md` S40).
 */
export async function redactAudits(
  tx: TxContext,
  developerId: number,
  rows: AuditLook['rows'],
): Promise<void> {
  if (rows.length === 0) return
  const redacted: [seq: number, hash: string][] = []
  for (const { told, ...row } of rows) {
    const details = told.details ? ERASED_DETAILS : row.details
    const ip = told.ip ? null : row.ip
    await redactRow(tx.db, { id: row.id, details, ip })
    if (row.seq !== null)
      redacted.push([row.seq, linkHash(await linkAt(tx.db, row.seq - 1), { ...row, details, ip })])
  }
  await audit(tx, {
    action: 'keywright/redact-audit',
    actor: { kind: 'system', id: 0, credential: 'erasure' },
    productId: null,
    developerId,
    ip: null,
    requestId: null,
    details: { rows: redacted },
  })
}
