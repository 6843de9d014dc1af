import { partsOf } from './compare-versions.ts'

/** `major.minor[.patch…][-pre][+meta]`, as uploaded versions must be. */
const VERSION = /^v?\d{1,18}(?:\.\d{1,18}){0,5}(?:-[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*)?(?:\+[0-9A-Za-z.-]+)?$/
const LONGEST = 64

/** Whether a text is a version that can be released. */
export const isVersion = (text: string): boolean => text.length <= LONGEST && VERSION.test(text)

/**
 * A text for a version: of two, its order by bytes is that of `compareVersions`, and equal versions have the same.
 * What is no version has a key too, so that any text can be compared with what is stored.
 */
export function versionKey(version: string): string {
  const { numbers, pre } = partsOf(version)
  const release = keyOf(numbers)
  return pre === null ? `${release}1` : `${release}0${keyOf(pre.split('.'))}`
}

const keyOf = (parts: readonly string[]): string => parts.map(partKey).join('') + END

/** Lower than any part: of two that begin the same way the shorter one is earlier. */
const END = '!'

/** A number by its length and then its digits; numbers are earlier than words. */
function partKey(part: string): string {
  if (!/^\d+$/.test(part)) return `1${part} `
  const digits = part.replace(/^0+(?=\d)/, '')
  return `0${String(Math.min(digits.length, 99)).padStart(2, '0')}${digits}`
}
