import { DAY } from '../lib/time.ts'

/** A version of a product of the demo. */
export interface DemoRelease {
  readonly version: string
  /** Days before the demo was made. */
  readonly made: number
  readonly mode: 'released' | 'beta' | 'pending'
  /** To how many users it is offered so far; absent: to all. */
  readonly limit?: number
}

/** The earliest first. */
export const RELEASES: Readonly<Record<'first' | 'other', readonly DemoRelease[]>> = {
  first: [
    { version: '1.8.0', made: 556, mode: 'released' },
    { version: '1.9.3', made: 420, mode: 'released' },
    { version: '2.4.1', made: 180, mode: 'released' },
    { version: '2.5.0', made: 12, mode: 'beta' },
    { version: '2.6.0', made: 1, mode: 'pending' },
  ],
  other: [
    { version: '1.0.0', made: 556, mode: 'released' },
    { version: '1.2.0', made: 150, mode: 'released' },
    { version: '1.3.0', made: 4, mode: 'released', limit: 5 },
  ],
}

/** Whether everybody may have it. */
export const isForAll = ({ mode, limit }: DemoRelease): boolean => mode === 'released' && limit === undefined

/** What everybody could have so many milliseconds before the demo was made. */
export function versionThen(which: 'first' | 'other', beforeMs: number): string {
  const out = RELEASES[which].filter((one) => isForAll(one) && one.made * DAY >= beforeMs)
  return out.at(-1)?.version ?? RELEASES[which][0]?.version ?? ''
}
