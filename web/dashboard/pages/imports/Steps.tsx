import type { Import } from '../../../../src/imports/asked/schema.ts'
import { fill } from '../../../shared/language.ts'
import { importTexts } from '../../texts/imports.ts'

const STEP_OF: Readonly<Record<Import['state'], number>> = {
  checking: 2,
  checked: 2,
  running: 3,
  finished: 4,
  undoing: 4,
  undone: 4,
  canceled: 4,
  failed: 4,
}

export const stepOf = ({ state, is_dry_run: isDryRun }: Pick<Import, 'state' | 'is_dry_run'>): number =>
  state === 'checking' && !isDryRun ? 3 : STEP_OF[state]

/** Where in its way an import is. */
export function Steps({ at }: { readonly at: number }) {
  const { steps } = importTexts
  const step = { at: at + 1, all: steps.length, step: steps[at] ?? '' }
  return (
    <p className="chips" aria-label={fill(importTexts.step, step)} role="img">
      {steps.map((name, n) => (
        <span key={name} className={n === at ? 'state good' : 'state'} aria-hidden="true">
          {n + 1}. {name}
        </span>
      ))}
    </p>
  )
}
