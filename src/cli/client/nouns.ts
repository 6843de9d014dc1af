import type { Nouns } from './noun.ts'
import { runningNouns } from './nouns-of-running.ts'
import { sellingNouns } from './nouns-of-selling.ts'

/** Every noun; what its verbs take follows from the operations (`operations.json`, `npm run commands`). */
export const nouns: Nouns = { ...sellingNouns, ...runningNouns }
