import type { Trial } from '../../../../src/licensing/trials/schema.ts'
import { State, type Tone } from '../../format.tsx'
import { texts } from '../../texts/texts.ts'

const STATES: Readonly<Record<Trial['state'], readonly [word: string, tone: Tone]>> = {
  running: [texts.trialRunning, 'warning'],
  converted: [texts.trialConverted, 'good'],
  cancelled: [texts.cancelled, 'plain'],
  ended: [texts.trialEnded, 'plain'],
}

/** What became of a trial, in one word. */
export function TrialState({ state }: Pick<Trial, 'state'>) {
  const [word, tone] = STATES[state]
  return <State word={word} tone={tone} />
}
