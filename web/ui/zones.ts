/** A time zone by the name that the browser has for it, as `Europe/Berlin`; undefined: it knows none of this name. */
export function knownZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Every zone that the browser lists, each once, with one of them and UTC first. */
export const zonesBeginningWith = (first: string): readonly string[] => [
  ...new Set([first, 'UTC', ...Intl.supportedValuesOf('timeZone')]),
]
