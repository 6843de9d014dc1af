import type { Problem } from '../../shared/call.ts'
import { fill } from '../../shared/language.ts'
import { ARCHIVES } from './archives.ts'
import { CODES, CODES_OF_FIELDS } from './codes.ts'
import { FAULTS_OF_THINGS } from './faults-of-things.ts'
import { FAULTS } from './faults.ts'
import { SENTENCES } from './sentences.ts'
import { THINGS } from './things.ts'

type Patterns = Readonly<Record<string, string>>
type Said = Pick<Problem, 'code' | 'message' | 'details'>

/** The values that a text has where a pattern has names, `{name}`; null: it is another text. */
function valuesIn(text: string, pattern: string): Record<string, string> | null {
  const [begin = '', ...parts] = pattern.split(/\{(\w+)\}/)
  if (!text.startsWith(begin)) return null
  const values: Record<string, string> = {}
  let rest = text.slice(begin.length)
  for (let at = 0; at < parts.length; at += 2) {
    const after = parts[at + 1] ?? ''
    const end = at + 2 >= parts.length ? endBefore(rest, after) : rest.indexOf(after, 1)
    if (end < 1) return null
    values[parts[at] ?? ''] = rest.slice(0, end)
    rest = rest.slice(end + after.length)
  }
  return rest === '' ? values : null
}

const endBefore = (text: string, after: string): number =>
  text.endsWith(after) ? text.length - after.length : -1

/** A text by patterns; null: none is its. */
function germanOf(text: string, ...all: readonly Patterns[]): string | null {
  for (const patterns of all) if (Object.hasOwn(patterns, text)) return patterns[text] ?? null
  for (const patterns of all) {
    for (const [pattern, german] of Object.entries(patterns)) {
      const values = pattern.includes('{') && valuesIn(text, pattern)
      if (values) return fill(german, values)
    }
  }
  return null
}

/** What is wrong with a field, to follow its name; null: that has no German. */
export const germanFault = (message: string): string | null =>
  germanOf(message, FAULTS, FAULTS_OF_THINGS, ARCHIVES)

/** What a refusal says, without its fields; null: that has no German. */
export function germanSentence({ code, message, details }: Said): string | null {
  const fields = details.length > 0 ? details : fieldsIn(message)
  if (Object.hasOwn(CODES_OF_FIELDS, code) && fields.length > 0)
    return `${CODES_OF_FIELDS[code]}: ${fields.map(line).join('; ')}.`
  const [, thing = ''] = /^There is no such (.+)\.$/.exec(message) ?? []
  if (Object.hasOwn(THINGS, thing)) return `${THINGS[thing]} gibt es nicht.`
  const said = germanOf(message, SENTENCES)
  if (said !== null) return said
  return Object.hasOwn(CODES, code) ? fill(CODES[code] ?? '', { said: archive(message) }) : null
}

/** What is wrong with an archive, said as a sentence: `The file has no files in it.` */
function archive(message: string): string {
  const [, fault = ''] = /^The file (.+)\.$/.exec(message) ?? []
  const german = fault === '' ? null : germanOf(fault, ARCHIVES)
  return german === null ? message : `Sie ${german}.`
}

/** The fields that a sentence lists where they are not told by themselves: `Malformed: quota must be integer.` */
function fieldsIn(message: string): Said['details'] {
  const [, list] = /^(?:Malformed|Missing|Not taken): (.+?)\.?$/.exec(message) ?? []
  return (list?.split('; ') ?? []).map((one) => {
    const [field = '', ...words] = one.split(' ')
    return { field, message: words.join(' ') }
  })
}

const line = ({ field, message }: Said['details'][number]): string =>
  `${field} ${germanFault(message) ?? message}`

/** A refusal in German; what has no German words stays as the server said it. */
export function germanRefusal({ code, message, details }: Said): Pick<Said, 'message' | 'details'> {
  const ofWhole = (said: string) => germanSentence({ code, message: said, details: [] })
  return {
    message: germanSentence({ code, message, details }) ?? message,
    // A rule that is the refusal itself says the same of its field.
    details: details.map((one) => ({
      ...one,
      message: germanFault(one.message) ?? (one.message === message ? ofWhole(message) : null) ?? one.message,
    })),
  }
}
