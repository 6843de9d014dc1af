import type { Export } from '../../../../src/lists/exports/schema.ts'
import type { Tone } from '../../format.tsx'

export const TONES: Readonly<Record<Export['state'], Tone>> = {
  waiting: 'plain',
  running: 'warning',
  done: 'good',
  failed: 'bad',
  expired: 'plain',
}
