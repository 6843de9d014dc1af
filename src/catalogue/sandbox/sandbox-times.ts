import { SECOND } from '../../lib/time.ts'

/** So often a process reads how sandboxes stand. */
export const REFRESH_MS = SECOND / 2

/** After a clock was moved it is called ready when every process has read it again. */
export const SETTLE_MS = 2 * REFRESH_MS
