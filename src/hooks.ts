import type { Hooks } from './context.ts'
import { keepRefusals } from './licensing/refused/keep-refusals.ts'
import { entitiesOfEvents } from './sales/event-entities.ts'
import { salesOfLicenses } from './sales/license-hooks.ts'

/** Who does what modules ask of those above them. */
export const hooks: Hooks = { entitiesOfEvents, sales: salesOfLicenses, refusals: keepRefusals }
