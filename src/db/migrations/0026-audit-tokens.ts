import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { appendOnly } from '../dialect.ts'

const BATCH = 500
const COLUMNS = [
  'id',
  'at',
  'action',
  'actor_kind',
  'actor_id',
  'credential',
  'product_id',
  'ip',
  'request_id',
  'details',
]

interface Row {
  readonly id: number
  readonly at: number
  readonly action: string
  readonly actor_kind: string
  readonly actor_id: number
  readonly credential: string
  readonly product_id: number | null
  readonly ip: string | null
  readonly request_id: string | null
  readonly details: string
  readonly seq: number | null
  readonly previous: string | null
}

/**
 * Puts the hash of a checkout's token in the place of the token. The chain keeps its links: what a row is from now on
 * is written down in rows of `keywright/redact-audit`, which are chained as any other and tell the check what to
 * expect (`docs/security-checks.md` S40).
 */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const statements = appendOnly(engine, 'audit_log', COLUMNS)
  const guard = statements.at(-1)
  await (
    engine === 'sqlite'
      ? sql`drop trigger audit_log_no_update`
      : sql`drop trigger audit_log_no_update on audit_log`
  ).execute(db)
  let after = 0
  for (let rows = await rowsAfter(db, after); rows.length > 0; rows = await rowsAfter(db, after)) {
    await redact(db, rows)
    after = rows.at(-1)?.id ?? after
  }
  await guard?.execute(db)
}

async function rowsAfter(db: Writer, after: number): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select log.id, log.at, log.action, log.actor_kind, log.actor_id, log.credential, log.product_id, log.ip,
      log.request_id, log.details, log.seq, before.hash as previous
    from audit_log log left join audit_log before on before.seq = log.seq - 1
    where log.id > ${after}
      and log.action in ('keywright/open-checkout', 'keywright/update-checkout', 'keywright/pay-checkout')
    order by log.id limit ${BATCH}`.execute(db)
  return rows
}

async function redact(db: Writer, rows: readonly Row[]): Promise<void> {
  const redacted: [seq: number, hash: string][] = []
  for (const row of rows) {
    const details = withoutToken(row.details)
    if (details === row.details) continue
    await sql`update audit_log set details = ${details} where id = ${row.id}`.execute(db)
    if (row.seq !== null) redacted.push([Number(row.seq), linkOf({ ...row, details })])
  }
  const at = Math.max(...rows.map((row) => Number(row.at)))
  if (redacted.length === 0) return
  await sql`
    insert into audit_log (at, action, actor_kind, actor_id, credential, details)
    values (${at}, 'keywright/redact-audit', 'system', 0, 'migration', ${JSON.stringify({ rows: redacted })})`.execute(
    db,
  )
}

function withoutToken(text: string): string {
  try {
    const details = JSON.parse(text) as { params?: { checkout_token?: string }; id?: string }
    const { params, id } = details
    if (params?.checkout_token !== undefined) params.checkout_token = hashed(params.checkout_token)
    if (id !== undefined) details.id = hashed(id)
    return JSON.stringify(details)
  } catch {
    return text
  }
}

const hashed = (token: string) => (token.startsWith('sha256:') ? token : `sha256:${hash('sha256', token)}`)

/** As the job links rows. */
const linkOf = (row: Row): string =>
  hash(
    'sha256',
    (row.previous ?? '') +
      JSON.stringify([
        Number(row.seq),
        Number(row.id),
        Number(row.at),
        row.action,
        row.actor_kind,
        Number(row.actor_id),
        row.credential,
        row.product_id === null ? null : Number(row.product_id),
        row.ip,
        row.request_id,
        row.details,
      ]),
  )
