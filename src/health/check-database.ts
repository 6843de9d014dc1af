import { databaseTime, integrityProblems } from '../db/check.ts'
import type { Database } from '../db/database.ts'
import { LATEST_SCHEMA, schemaVersion } from '../db/migrate.ts'
import { endsOf } from '../db/reseal.ts'
import { placeOf, SEALED_COLUMNS, type SealedColumn } from '../db/sealed-columns.ts'
import { verifyAuditChain } from '../access/verify-audit.ts'
import { SystemClock } from '../lib/clock.ts'
import type { Keyring } from '../lib/keyring.ts'
import { MINUTE, SECOND, toUtcTime } from '../lib/time.ts'
import { fail, ok, warn, type Finding } from './finding.ts'
import { newestAuditTime } from './queries.ts'
import { failureLine } from './failure-line.ts'

const SMALL_DRIFT_MS = 2 * SECOND

/** Whether the database answers, and with which schema. */
export async function checkDatabase(database: Database, place: string): Promise<Finding> {
  const name = 'database'
  const migrate = 'The next start brings it up to date; or run: npm run -s keywright -- migrate'
  try {
    const version = await schemaVersion(database)
    const schema = `${place} is at schema ${version} of ${LATEST_SCHEMA}`
    if (version > LATEST_SCHEMA) return fail(name, schema, 'A later version wrote it: install that one.')
    return version < LATEST_SCHEMA ? warn(name, schema, migrate) : ok(name, schema)
  } catch (error) {
    const { message } = failureLine(error)
    return fail(
      name,
      `${place} does not answer: ${message}`,
      'Check DATABASE_URL and that the database runs.',
    )
  }
}

/** Whether the database finds its own file whole. */
export async function checkIntegrity(database: Database): Promise<Finding> {
  const name = 'integrity'
  const [problem] = await integrityProblems(database)
  if (problem === undefined) return ok(name, 'the database finds no damage')
  return fail(name, problem, 'Stop the server and put a backup back.')
}

/** Whether this machine's clock agrees with the database's, and has not gone back. */
export async function checkClock(database: Database): Promise<Finding> {
  const name = 'clock'
  const fix = 'Set the clock by NTP: signatures, sessions and due dates need the right time.'
  const theirs = await databaseTime(database)
  const now = new SystemClock().real()
  const drift = theirs === null ? 0 : Math.abs(now - theirs)
  if (drift > SMALL_DRIFT_MS) {
    const finding = drift > MINUTE ? fail : warn
    return finding(name, `${Math.round(drift / SECOND)} s apart from the database's`, fix)
  }
  const newest = await newestAuditTime(database.reader)
  if (newest !== null && newest > now + MINUTE) {
    return fail(name, `it is ${toUtcTime(now)} here, but a row was written at ${toUtcTime(newest)}`, fix)
  }
  return ok(name, `${toUtcTime(now)} UTC`)
}

/** Whether the secret opens what is stored and finds what is hashed, by the first and last value of each kind. */
export async function checkSealed(database: Database, keys: Keyring): Promise<Finding> {
  const name = 'stored keys'
  let count = 0
  for (const column of SEALED_COLUMNS) {
    const ends = await endsOf(database.reader, column)
    if (ends.length === 0) continue
    try {
      if (!ends.every((end) => isFound(keys, column, end))) return notFound(name, column)
    } catch (error) {
      return fail(name, failureLine(error).message, 'Put the secret back that this database was used with.')
    }
    count++
  }
  return ok(name, count > 0 ? `the secret opens them (${count} kinds)` : 'there are none yet')
}

/** Error when the value does not open. */
function isFound(
  keys: Keyring,
  column: SealedColumn,
  { sealed, hash }: { readonly sealed: string; readonly hash: string | null },
): boolean {
  const text = keys.open(sealed, placeOf(column))
  return !column.hash || keys.keyedHashes(text, column.hash.purpose).includes(hash ?? '')
}

const notFound = (name: string, { table }: SealedColumn) =>
  fail(
    name,
    `the keys of ${table} open, but are not found by their hash, which a secret made that is dropped`,
    'Run "keywright secret rotate": it makes the hashes anew. Until then those keys are refused.',
  )

/** Whether no row of the audit log was changed or taken out. */
export async function checkAuditChain(database: Database): Promise<Finding> {
  const name = 'audit log'
  const { checked, firstBadSeq, unchained } = await verifyAuditChain(database.background)
  if (firstBadSeq === null)
    return ok(name, `${checked} rows are as they were written, ${unchained} not chained yet`)
  return fail(
    name,
    `row ${firstBadSeq} was changed or taken out`,
    'Compare with a backup: somebody wrote past Keywright.',
  )
}
