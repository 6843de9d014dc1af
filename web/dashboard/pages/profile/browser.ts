import { texts } from '../../texts/texts.ts'

/** Browsers and systems by what they say of themselves, those first that others name too. */
const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** Which browser on which system; what says neither is shown by its first word, as tools name themselves. */
export function browserOf(agent: string | null): string {
  if (agent === null || agent === '') return texts.unknown
  const nameIn = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(agent))?.[1]
  const found = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(Boolean)
  return found.length > 0 ? found.join(', ') : (agent.split(/[\s(]/)[0] ?? agent)
}
