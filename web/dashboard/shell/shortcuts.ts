/** What keys do, by the keys: one after another where there are two. */
export const SHORTCUTS = {
  '/': 'filter',
  'g l': 'licenses',
  'g c': 'customers',
  'g e': 'events',
  c: 'create',
  '?': 'help',
} as const
export type Keys = keyof typeof SHORTCUTS

/** Milliseconds in which the second key follows the first. */
const TOGETHER = 1_000

const KEPT = 'keywright-keys-off'

/** What was switched off in this browser. */
export const switchedOff = (): ReadonlySet<string> =>
  new Set((localStorage.getItem(KEPT) ?? '').split(',').filter((keys) => keys !== ''))

export function switchShortcut(keys: Keys, isOn: boolean): void {
  const off = new Set(switchedOff())
  if (isOn) off.delete(keys)
  else off.add(keys)
  localStorage.setItem(KEPT, [...off].join(','))
}

interface Pressed {
  readonly key: string
  readonly at: number
}

/** What a key does after the one before it; undefined: nothing, as what it would do is switched off. */
export function shortcutOf(
  before: Pressed | null,
  { key, at }: Pressed,
  off: ReadonlySet<string>,
): Keys | undefined {
  const isPair = before !== null && at - before.at <= TOGETHER
  const found = (Object.keys(SHORTCUTS) as Keys[]).filter((keys) => !off.has(keys))
  return (
    (isPair ? found.find((keys) => keys === `${before.key} ${key}`) : undefined) ??
    found.find((keys) => keys === key)
  )
}
