import type { Database } from '../db/database.ts'
import { leftForGood } from '../db/failed-rows.ts'
import { leftOpen, leftOpenText } from '../sales/charges/left-open.ts'
import type { RenewalDetails } from '../sales/renewals/attempt.ts'
import { renewalsByGateway, unmadeRenewals } from '../sales/renewals/renewal-rows.ts'
import { renewalState } from '../work/renewal-watch.ts'
import { findGateway } from '../gateways/choose.ts'
import type { Gateway } from '../gateways/gateway.ts'
import { SystemClock } from '../lib/clock.ts'
import { toUtcTime } from '../lib/time.ts'
import { ok, warn, type Finding } from './finding.ts'

/** How many rows are named. */
const NAMED = 20

const PLACES = ['live payments', 'the sandbox'] as const

/** Whether every gateway is set up that is to charge a renewal, with a key of its environment. */
export async function checkGateways(database: Database, gateways: readonly Gateway[]): Promise<Finding> {
  const name = 'gateways'
  const missing = (await renewalsByGateway(database.background)).filter(
    (through) => findGateway(gateways, through) === undefined,
  )
  if (missing.length === 0) return ok(name, 'each that is to charge a renewal is set up')
  return warn(
    name,
    missing
      .map(
        ({ gateway, environment, count }) =>
          `${gateway} is not set up for ${PLACES[environment]}, and renewals that need it wait: ${count}`,
      )
      .join('; '),
    'Set its keys (docs/gateways.md); until then nobody is charged or dunned for them.',
  )
}

/** Whether it is known of every charge how it ended, an hour after it was asked for. */
export async function checkCharges(database: Database): Promise<Finding> {
  const name = 'charges'
  const open = await leftOpen(database.background, new SystemClock().real())
  if (open.length === 0) return ok(name, 'of every one that was asked for it is known how it ended')
  return warn(
    name,
    open.map(leftOpenText).join('; '),
    'The jobs ask on; the log says why. Of what a gateway does not list any more, say what its pages show: npm run -s keywright -- charges --help',
  )
}

/** Whether renewals of production go on, and their gateways make those that are due. */
export async function checkRenewals(database: Database): Promise<Finding> {
  const name = 'renewals'
  const now = new SystemClock().real()
  const { heldAt, lastBeat, due } = await renewalState(database.background, now)
  if (heldAt === null) {
    const unmade = await unmadeRenewals(database.background, { now: toUtcTime(now), limit: NAMED })
    if (unmade.length === 0) return ok(name, `they go on; ${due} subscriptions are due`)
    return warn(
      name,
      unmade.map(unmadeText).join('; '),
      'Look at the account and the keys of the gateway. They are charged anew, nobody is told that a payment failed.',
    )
  }
  return warn(
    name,
    `they wait, as the server was away since ${lastBeat ?? 'its beginning'}; ${due} subscriptions are due`,
    'If the clock is right and those who are due may be charged: npm run -s keywright -- renewals resume',
  )
}

const unmadeText = ({ id, gateway, details }: Awaited<ReturnType<typeof unmadeRenewals>>[number]) =>
  `${gateway} has not made the renewal of subscription ${id}: ${(JSON.parse(details ?? '{}') as Partial<RenewalDetails>).unmade}`

/** Whether a fault keeps something from being done for good, whose row the jobs leave alone. */
export async function checkJobs(database: Database): Promise<Finding> {
  const name = 'jobs'
  const left = await leftForGood(database.background, NAMED)
  if (left.length === 0) return ok(name, 'no row is left alone for good')
  return warn(
    name,
    left.map(({ job, row_id: id, last_error: error }) => `${job}, row ${id}: ${error}`).join('; '),
    'Each has failed ten times. The log has the whole errors. Once the cause is mended: npm run -s keywright -- jobs retry',
  )
}
