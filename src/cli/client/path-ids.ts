import { Failure } from '../failure.ts'
import { entries } from './operation-table.ts'

/** The nouns whose ids have another name in a path. */
const NOUNS: Readonly<Record<string, string>> = {
  user: 'customer',
  tag: 'version',
  webhook: 'listener',
  pricing: 'price',
  mail: 'sent-mail',
  export: 'list-export',
  import: 'account-import',
  token: 'api-token',
}

/** What is named as an id, and is a word. */
const WORDS = new Set(['special_id'])

/**
 * What a command line has given for a part of a path. `Failure` for nothing, as of a variable of a script that is empty, or
 * dots, which would be the path of another operation, and for another text where an id stands, with what lists the ids.
 */
export function pathId(name: string, given: unknown): string {
  const [id, word] = [String(given), `<${name.replaceAll('_', '-')}>`]
  if (/^\.*$/.test(id)) throw new Failure('usage', `${word} is ${id === '' ? 'empty' : `'${id}'`}.`, 2)
  if (!name.endsWith('_id') || WORDS.has(name) || /^\d+$/.test(id)) return id
  throw new Failure('usage', `${word} must be an id, such as 7, not '${id}'${listing(name, id)}.`, 2)
}

function listing(name: string, id: string): string {
  const own = name.slice(0, -'_id'.length)
  const noun = NOUNS[own] ?? own.replaceAll('_', '-')
  if (!entries().some((entry) => entry.noun === noun && entry.verb === 'find')) return ''
  const finds = noun === 'customer' && id.includes('@') ? `find --email ${id}` : 'find'
  return `; "keywright ${noun} ${finds}" has them`
}
