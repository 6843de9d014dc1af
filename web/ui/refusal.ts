import { Problem } from '../shared/call.ts'
import { textsOf } from '../shared/language.ts'
import { language } from './texts.ts'

type Said = Pick<Problem, 'code' | 'message' | 'details'>

const asSaid =
  async () =>
  (said: Said): Pick<Said, 'message' | 'details'> =>
    said
const german = async () => (await import('./german/refusal.ts')).germanRefusal

/**
 * What the server says of a refusal, in the language of the page: only where that is another one are its words loaded,
 * with the first refusal. What has none stays as the server says it.
 */
async function inLanguage(said: Said): Promise<Pick<Said, 'message' | 'details'>> {
  const words = await textsOf(language, { de: german }, asSaid)().catch(asSaid)
  return words(said)
}

/** A refusal that a page is answered, in its language; where nobody answered there is nothing to say. */
export async function problemInLanguage(problem: Problem): Promise<Problem> {
  const { status, code, requestId } = problem
  if (status === 0) return problem
  const { message, details } = await inLanguage(problem)
  return new Problem({ status, code, requestId, message, details })
}

/** Why one of many was refused, in the language of the page. */
export const reasonInLanguage = async (code: string, message: string): Promise<string> =>
  (await inLanguage({ code, message, details: [] })).message
