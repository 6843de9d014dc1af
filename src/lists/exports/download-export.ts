import { transaction, type Context } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import { StoredDownload } from '../../http/send-file.ts'
import { notFound } from '../../lib/errors.ts'
import { readToken } from '../../lib/signed-token.ts'
import { toUtcTime } from '../../lib/time.ts'
import { exportById } from './export-rows.ts'
import { endingOf } from './service.ts'

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  zip: 'application/zip',
} as const

/** The file of an export, for whoever has its address; 404 when it is gone. Each download is in the audit log. */
export async function downloadExport(ctx: Context, id: number, token: string): Promise<StoredDownload> {
  const now = ctx.clock.real()
  const claims = readToken(ctx.keys, token, { purpose: 'export', now })
  const row = claims?.['export'] === String(id) ? await exportById(ctx.db, id) : undefined
  const { file, size } = row ?? {}
  const isOver = !row || row.expires_at === null || row.expires_at <= toUtcTime(now)
  if (isOver || !file || typeof size !== 'number') throw notFound('export')
  // A backup that was put back has none.
  const bytes = await ctx.storage.read(file, { first: 0, last: 0 })
  if (!bytes) throw notFound('export')
  await bytes.close()
  await transaction(ctx, (tx) =>
    audit(tx, {
      action: 'keywright/download-export',
      // Whoever has the address.
      actor: { kind: 'anonymous', id: 0, credential: `export:${id}` },
      developerId: row.developer_id,
      productId: null,
      ip: null,
      requestId: null,
      details: { params: { export_id: id }, kind: row.kind },
    }),
  )
  const ending = endingOf(row)
  const name = `${row.kind}-${row.created.slice(0, 10)}-${id}.${ending}`
  const of = { productId: 0, installId: null, userId: null }
  const count = () => Promise.resolve()
  return new StoredDownload({ sha256: file, size, type: TYPES[ending], name }, { ...of, count })
}
