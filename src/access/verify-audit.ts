import { hash } from 'node:crypto'
import type { Reader } from '../db/database.ts'
import { linksAt } from './audit-rows.ts'
import { chainedRows, countUnchained, redactionsAfter, type AuditRow } from './audit-queries.ts'

export interface AuditVerdict {
  /** Rows that are as they were chained. */
  readonly checked: number
  /** The first place at which a row is missing or is not what was chained; null when the chain holds. */
  readonly firstBadSeq: number | null
  /** Rows that the job has not reached yet. */
  readonly unchained: number
  /** Of those that were checked, how many had a secret taken out later, as a row of its own says; absent: none. */
  readonly redacted?: number
}

interface VerifyOptions {
  readonly pageSize?: number
  /**
   * A link noted earlier. Without one, rows taken off the end are not missed, and neither is a chain that
   * was computed anew.
   */
  readonly noted?: { readonly seq: number; readonly hash: string }
}

/** Recomputes the chain of the audit log, in pages; give it `database.background` (`docs/security-checks.md` S40). */
export async function verifyAuditChain(
  db: Reader,
  { pageSize = 1000, noted }: VerifyOptions = {},
): Promise<AuditVerdict> {
  const unchained = await countUnchained(db)
  const redactions = await redactionsOf(db)
  let checked = 0
  let redacted = 0
  let previous = ''
  for (let rows = await chainedRows(db, 0, pageSize); rows.length > 0;) {
    for (const row of rows) {
      const found = judge(row, linkHash(previous, { ...row, seq: checked + 1 }), redactions.get(checked + 1))
      const isNoted = noted?.seq !== checked + 1 || noted.hash === row.hash
      if (found === 'bad' || !isNoted)
        return { checked, firstBadSeq: checked + 1, unchained, ...told(redacted) }
      checked += 1
      redacted += found
      previous = row.hash ?? ''
    }
    rows = await chainedRows(db, checked, pageSize)
  }
  const isCutOff = noted !== undefined && noted.seq > checked
  return { checked, firstBadSeq: isCutOff ? checked + 1 : null, unchained, ...told(redacted) }
}

/** Whether these rows are as they were chained, those that have a place, and the latest place among them. */
export async function checkLinks(
  db: Reader,
  rows: readonly AuditRow[],
): Promise<{ readonly checked_to: number | null; readonly ok: boolean }> {
  const chained = rows.flatMap((row) => (row.seq === null ? [] : [{ ...row, seq: row.seq }]))
  if (chained.length === 0) return { checked_to: null, ok: true }
  const before = await linksAt(
    db,
    chained.map(({ seq }) => seq - 1),
  )
  const nowOf = (row: (typeof chained)[number]) => linkHash(before.get(row.seq - 1) ?? '', row)
  const others = chained.filter((row) => row.hash !== nowOf(row))
  const redactions = others.length === 0 ? new Map<number, string>() : await redactionsOf(db)
  const ok = others.every((row) => redactions.get(row.seq) === nowOf(row))
  return { checked_to: Math.max(...chained.map(({ seq }) => seq)), ok }
}

/** How often a row was redacted: not, or once; `now` is what it says now, `redacted` what it may say since. */
function judge({ hash: link }: AuditRow, now: string, redacted: string | undefined): 0 | 1 | 'bad' {
  if (link === now) return 0
  return redacted === now ? 1 : 'bad'
}

const told = (redacted: number) => (redacted > 0 ? { redacted } : {})

/**
 * What a redacted row is from then on: its place → the hash over the link before it and what it says now. The row keeps
 * the link that it had, so that the chain behind it holds; a row that nobody says was redacted has no second hash.
 */
async function redactionsOf(db: Reader): Promise<ReadonlyMap<number, string>> {
  const redactions = new Map<number, string>()
  let after = 0
  for (
    let rows = await redactionsAfter(db, after);
    rows.length > 0;
    rows = await redactionsAfter(db, after)
  ) {
    for (const { id, details } of rows) {
      const { rows: redacted } = JSON.parse(details) as { rows: readonly (readonly [number, string])[] }
      for (const [seq, now] of redacted) redactions.set(seq, now)
      after = id
    }
  }
  return redactions
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
    ...(row.developer_id ? [row.developer_id] : []),
    ...(row.user_id ? [['user', row.user_id]] : []),
    ...(row.license_id ? [['license', row.license_id]] : []),
  ]
  return hash('sha256', previous + JSON.stringify(own))
}
