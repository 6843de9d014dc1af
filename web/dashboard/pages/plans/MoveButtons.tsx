import { fill } from '../../../shared/language.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { featureTexts as words } from '../../texts/of-features.ts'

interface Moves {
  readonly title: string
  readonly idOf: (way: 'up' | 'down') => string
  readonly isBarred: boolean
  /** Null: it is the first, or the last. */
  readonly up: (() => void) | null
  readonly down: (() => void) | null
}

/** Moves a plan or a feature up and down. */
export const MoveButtons = ({ title, idOf, isBarred, up, down }: Moves) =>
  [['up', words.up, up] as const, ['down', words.down, down] as const].map(([way, word, act]) => (
    <button
      key={way}
      id={idOf(way)}
      type="button"
      className="icon-button"
      aria-label={fill(word, { feature: title })}
      disabled={isBarred || act === null}
      onClick={() => act?.()}
    >
      <Icon name={way} />
    </button>
  ))
