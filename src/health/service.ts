import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Context, ReadContext } from '../context.ts'
import type { Scope } from '../access/scope.ts'
import { databaseTime } from '../db/check.ts'
import { JOBS } from '../jobs/worker.ts'
import { MINUTE, timeOrNull, toUtcTime } from '../lib/time.ts'
import { VERSION } from '../lib/version.ts'
import { Checkup, type Line } from './checkup.ts'
import { isOnlySeller, jobsOf, waitingOf } from './queries.ts'
import type { ServerState } from './schema.ts'

type AskedContext = ReadContext & Pick<Context, 'database' | 'gateways'>

const RECURRING = JOBS.filter(({ kind }) => kind === 'recurring').map(({ name }) => name)
/** A job that is due for so long is one that no process runs. */
const LATE_MS = 2 * MINUTE

/** By the database: a process may open several, as tests do. */
const checkups = new WeakMap<object, Checkup>()

/**
 * How the server is set up and fares. What is of all sellers (the lines of `keywright doctor`, errors of jobs, places on
 * its machine) is told to an account that is the only one with stores.
 */
export async function serverState(ctx: AskedContext, { developerId }: Scope): Promise<ServerState> {
  const { config, db } = ctx
  const isOnly = await isOnlySeller(db, developerId)
  const now = ctx.clock.real()
  const theirs = await databaseTime(ctx.database)
  const place = (text: string) => (isOnly ? text : null)
  return {
    version: VERSION,
    base_address: ctx.baseUrl,
    started: toUtcTime(now - Math.round(process.uptime() * 1_000)),
    time: toUtcTime(now),
    clock_skew_ms: theirs === null ? null : Math.round(now - theirs),
    database: ctx.database.engine,
    is_only_seller: isOnly,
    mail: mailOf(config, place),
    storage: {
      kind: config.s3 === null ? 'folder' : 's3',
      place: place(config.s3 === null ? join(config.dataDir, 'files') : config.s3.bucket),
    },
    gateways: ctx.gateways.map(({ code, environments, form }) => ({
      gateway: code,
      environments: [...environments],
      methods: [...(form?.methods ?? [])],
      publishable_key: form?.publishableKey ?? null,
    })),
    waiting: await waiting(ctx, developerId),
    jobs: (await jobsOf(db, RECURRING)).map((row) => presentJob(row, now, isOnly)),
    checks: isOnly ? [...(await checkupLines(ctx))] : null,
  }
}

function mailOf({ mail, dataDir }: Config, place: (text: string) => string | null): ServerState['mail'] {
  const { smtp, from } = mail
  return {
    kind: smtp === null ? 'folder' : 'smtp',
    place: place(smtp === null ? join(dataDir, 'mail') : `${smtp.host}:${smtp.port}`),
    from: from?.address ?? null,
  }
}

async function waiting({ db }: ReadContext, developerId: number): Promise<ServerState['waiting']> {
  const { mails, failed, deliveries } = await waitingOf(db, developerId)
  return { mails, failed_mails: failed, deliveries }
}

type JobRow = Awaited<ReturnType<typeof jobsOf>>[number]

/** Row → wire. What a job failed at may be of any seller. */
function presentJob(row: JobRow, now: number, isOnly: boolean): ServerState['jobs'][number] {
  return {
    name: row.name,
    state: stateOf(row, now),
    last_started: timeOrNull(row.last_started_at),
    last_finished: timeOrNull(row.last_finished_at),
    due: timeOrNull(row.due_at),
    failures: row.failures,
    last_error: isOnly ? row.last_error : null,
  }
}

function stateOf({ lease_until, failures, due_at }: JobRow, now: number) {
  if (lease_until > now) return 'running'
  if (failures > 0) return 'failing'
  return due_at !== null && due_at < now - LATE_MS ? 'late' : 'waiting'
}

function checkupLines({ config, database, keys, gateways, clock }: AskedContext): Promise<readonly Line[]> {
  const checkup = checkups.get(database) ?? new Checkup()
  checkups.set(database, checkup)
  const patient = { config, database, keys: async () => keys, gateways: async () => gateways }
  return checkup.lines(patient, () => clock.real())
}
