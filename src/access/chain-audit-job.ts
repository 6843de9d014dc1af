import { transaction } from '../context.ts'
import { MINUTE, SECOND } from '../lib/time.ts'
import { findHead, saveLinks, unchainedRows, type Link } from './audit-queries.ts'
import { linkHash } from './verify-audit.ts'
import type { RecurringJob } from '../job.ts'

const BATCH = 500

/**
 * Numbers audit rows that have no number yet, without a gap from 1, and gives each the hash over the one
 * before it and its own columns (`docs/security-checks.md` S40). The newest link is logged: kept elsewhere, it shows
 * that rows were taken off the end.
 */
export const chainAudit: RecurringJob = {
  kind: 'recurring',
  name: 'chain-audit',
  everyMs: 5 * SECOND,
  leaseMs: MINUTE,
  async run(ctx, lease) {
    const links = await transaction(ctx, async ({ db }) => {
      await lease.guard(db)
      const rows = await unchainedRows(db, BATCH)
      let head = await findHead(db)
      const chained: Link[] = []
      for (const row of rows) {
        const seq = (head?.seq ?? 0) + 1
        head = { id: row.id, seq, hash: linkHash(head?.hash ?? '', { ...row, seq }) }
        chained.push(head)
      }
      await saveLinks(db, chained)
      return chained
    })
    const newest = links.at(-1)
    if (newest) ctx.log.info({ seq: newest.seq, hash: newest.hash }, 'audit log chained')
    return links.length === BATCH ? 'more' : 'done'
  },
}
