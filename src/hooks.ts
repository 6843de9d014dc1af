import { operations } from './app.ts'
import type { Hooks } from './context.ts'
import type { AnyOperation } from './http/operation.ts'
import { keepRefusals } from './licensing/refused/keep-refusals.ts'
import { filesOfExports } from './lists/exports/export-rows.ts'
import { entitiesOfEvents } from './sales/event-entities.ts'
import { salesOfLicenses } from './sales/license-hooks.ts'

/** Who does what modules ask of those above them. */
export const hooks: Hooks = {
  entitiesOfEvents,
  sales: salesOfLicenses,
  refusals: keepRefusals,
  files: filesOfExports,
  operation: (id) => byId().get(id),
}

let known: ReadonlyMap<string, AnyOperation> | null = null
const byId = () => (known ??= new Map(operations.map((op) => [op.id, op])))
