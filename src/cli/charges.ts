import { tellCharge, type Seen, type Untold } from '../sales/charges/tell-charge.ts'
import type { ProcessContext } from '../open.ts'
import { idArgument } from './arguments.ts'
import { databaseCommand, type Group } from './command.ts'
import { Failure } from './failure.ts'

const charge = {
  '<charge>': { describe: 'its id, as `doctor` and `ledger check` name it', parse: idArgument },
} as const

const found = databaseCommand({
  describe: 'say that a payment that a gateway does not list any more was made, by its id in the pages there',
  docs: 'docs/gateways.md',
  arguments: charge,
  options: { '--as <id>': { describe: 'its id at the gateway', required: true } },
  handler: (ctx, given) => told(ctx, given.charge, { shownId: given.as }),
})

const missing = databaseCommand({
  describe:
    'say that a payment that a gateway does not list any more was never made; it may be asked for again',
  docs: 'docs/gateways.md',
  arguments: charge,
  handler: (ctx, given) => told(ctx, given.charge, 'missing'),
})

export const command: Group = {
  describe: 'payments that were asked for, of which nobody knows whether they were made',
  docs: 'docs/gateways.md',
  commands: { found, missing },
}

const REASONS: Readonly<Record<Untold, (id: number) => string>> = {
  unknown: (id) => `There is no charge ${id}.`,
  decided: (id) => `It is known how charge ${id} ended, or its gateway has named it.`,
  gateway: (id) => `The gateway of charge ${id} is not set up.`,
  findable: (id) => `The gateway of charge ${id} still tells how it ended; the jobs ask it.`,
  another: (id) => `That is no payment of charge ${id}: look for its key among the invoice ids.`,
}

const CODES: Readonly<Record<Untold, string>> = {
  unknown: 'not_found',
  decided: 'charge_decided',
  gateway: 'gateway_not_configured',
  findable: 'charge_findable',
  another: 'another_charge',
}

async function told(ctx: ProcessContext, id: number, seen: Seen) {
  const untold = await tellCharge(ctx, id, seen)
  if (untold !== null) throw new Failure(CODES[untold], REASONS[untold](id))
  const isFound = seen !== 'missing'
  const text = isFound
    ? `Charge ${id} was made. It is booked within minutes.`
    : `Charge ${id} was never made. What is due still is asked for again within hours.`
  return { value: { charge_id: String(id), found: isFound }, text }
}
