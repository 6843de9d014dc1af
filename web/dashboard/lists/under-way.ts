import type { Bulk } from '../../../src/lists/bulk/schema.ts'
import type { Export } from '../../../src/lists/exports/schema.ts'

/** Whether an export is not written yet, and may be. */
export const isUnderWay = ({ state }: Pick<Export, 'state'>): boolean =>
  state === 'waiting' || state === 'running'

/** Whether a bulk action goes on. */
export const isAtWork = ({ state }: Pick<Bulk, 'state'>): boolean =>
  state === 'collecting' || state === 'running'
