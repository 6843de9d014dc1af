import { hash } from 'node:crypto'
import type { Reader } from '../db/database.ts'
import { chainedRows, countUnchained, type AuditRow } from './audit-queries.ts'

export interface AuditVerdict {
  /** Rows that are as they were chained. */
  readonly checked: number
  /** The first place at which a row is missing or is not what was chained; null when the chain holds. */
  readonly firstBadSeq: number | null
  /** Rows that the job has not reached yet. */
  readonly unchained: number
}

interface VerifyOptions {
  readonly pageSize?: number
  /**
   * A link noted earlier. Without one, rows taken off the end are not missed, and neither is a chain that
   * was computed anew.
   */
  readonly noted?: { readonly seq: number; readonly hash: string }
}

/** Recomputes the chain of the audit log, in pages; give it `database.background` (CHECKS S40). */
export async function verifyAuditChain(
  db: Reader,
  { pageSize = 1000, noted }: VerifyOptions = {},
): Promise<AuditVerdict> {
  const unchained = await countUnchained(db)
  let checked = 0
  let previous = ''
  for (let rows = await chainedRows(db, 0, pageSize); rows.length > 0;) {
    for (const row of rows) {
      const expected = linkHash(previous, { ...row, seq: checked + 1 })
      const isNoted = noted?.seq !== checked + 1 || noted.hash === row.hash
      if (row.hash !== expected || !isNoted) return { checked, firstBadSeq: checked + 1, unchained }
      checked += 1
      previous = expected
    }
    rows = await chainedRows(db, checked, pageSize)
  }
  const isCutOff = noted !== undefined && noted.seq > checked
  return { checked, firstBadSeq: isCutOff ? checked + 1 : null, unchained }
}

/** Hex SHA-256 over the hash before it and the row's own columns in a fixed order; '' before the first. */
export function linkHash(previous: string, row: Omit<AuditRow, 'hash'>): string {
  const own = [
    row.seq,
    row.id,
    row.at,
    row.action,
    row.actor_kind,
    row.actor_id,
    row.credential,
    row.product_id,
    row.ip,
    row.request_id,
    row.details,
  ]
  return hash('sha256', previous + JSON.stringify(own))
}
