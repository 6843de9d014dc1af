import { useNavigate } from '@tanstack/react-router'
import type { FiguresSearch } from '../../place.ts'

/** Changes what the address says of the figures. */
export function useSay() {
  const navigate = useNavigate()
  return (changed: Partial<FiguresSearch>) =>
    void navigate({ to: '.', search: (before: FiguresSearch) => ({ ...before, ...changed }) })
}

interface Choosing<T> {
  readonly label: string
  readonly choices: readonly (readonly [value: T, text: string])[]
  readonly chosen: T
  readonly choose: (value: T) => void
}

/** Of a few words the one that is chosen. */
export function Chips<T extends string | undefined>({ label, choices, chosen, choose }: Choosing<T>) {
  return (
    <div role="group" aria-label={label} className="chips">
      {choices.map(([value, text]) => (
        <button key={text} type="button" aria-pressed={value === chosen} onClick={() => choose(value)}>
          {text}
        </button>
      ))}
    </div>
  )
}
