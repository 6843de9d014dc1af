import type { Export } from '../../../src/lists/exports/schema.ts'

/** Whether an export is not written yet, and may be. */
export const isUnderWay = ({ state }: Pick<Export, 'state'>): boolean =>
  state === 'waiting' || state === 'running'
