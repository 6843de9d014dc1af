import { createRequire } from 'node:module'
import type { operations } from './app.ts'
import type { Hooks } from './context.ts'
import type { AnyOperation } from './http/operation.ts'
import { keepRefusals } from './licensing/refused/keep-refusals.ts'
import { otherFiles } from './imports/other-files.ts'
import { entitiesOfEvents } from './sales/event-entities.ts'
import { salesOfLicenses } from './sales/license-hooks.ts'

/** Who does what modules ask of those above them. */
export const hooks: Hooks = {
  entitiesOfEvents,
  sales: salesOfLicenses,
  refusals: keepRefusals,
  files: otherFiles,
  operation: (id) => byId().get(id),
  archiveAccount: async (ctx, wanted, take) =>
    (await import('./imports/archive-account.ts')).archiveAccount(ctx, wanted, take),
}

interface Served {
  readonly operations: typeof operations
}

/** Loaded when they are asked for: most commands, and a worker that has no list to work on, need none of them. */
const load = createRequire(import.meta.url)

let known: ReadonlyMap<string, AnyOperation> | null = null
const byId = () => {
  if (known) return known
  const served = load('./app.ts') as Served
  return (known = new Map(served.operations.map((op) => [op.id, op])))
}
