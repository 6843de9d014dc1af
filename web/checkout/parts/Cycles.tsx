import type { Option } from './Choices.tsx'

interface About {
  readonly label: string
  readonly value: string
  readonly all: readonly Option[]
  readonly take: (value: string) => void
  /** Below each other, however much room there is. */
  readonly isColumn: boolean
}

/** Cycles side by side with what each costs, where the address asks for a list of them. */
export function Cycles({ label, value, all, take, isColumn }: About) {
  return (
    <fieldset class={isColumn ? 'cycles column' : 'cycles'}>
      <legend>{label}</legend>
      {all.map((one) => (
        <label key={one.value} class="cycle">
          <input type="radio" name="cycle" checked={one.value === value} onChange={() => take(one.value)} />
          <span>{one.text}</span>
          <span class="price">{one.price}</span>
        </label>
      ))}
    </fieldset>
  )
}
