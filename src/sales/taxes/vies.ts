import { HOUR, MINUTE, SECOND } from '../../lib/time.ts'

/** The answer of the tax offices of the union: whether they know an id. */
export interface Office {
  /** Throws when there is no answer. */
  isKnown(country: string, number: string): Promise<boolean>
}

const TIMEOUT_MS = 10 * SECOND
const MAX_ANSWER_BYTES = 64 * 1024
const MAX_KEPT = 10_000
/** How long an answer counts. One who is unknown may have been registered a moment ago. */
const KEPT_MS = { known: 24 * HOUR, unknown: HOUR, down: MINUTE }

interface ViesOptions {
  /** Without a slash at the end. */
  readonly url: string
  /** Milliseconds of real time. */
  readonly now: () => number
  readonly timeoutMs?: number
}

interface Kept {
  readonly until: number
  readonly answer: Promise<boolean>
}

/**
 * VIES, the register of the European Commission. Answers are kept for a day; while the office of a country does
 * not answer it is left alone for a minute, so that buyers do not wait for it one after the other.
 */
export function viesOffice({ url, now, timeoutMs = TIMEOUT_MS }: ViesOptions): Office {
  const kept = new Map<string, Kept>()
  const downUntil = new Map<string, number>()
  const keep = (id: string, answer: Promise<boolean>, ms: number) => {
    kept.delete(id)
    kept.set(id, { until: now() + ms, answer })
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  }
  return {
    async isKnown(country, number) {
      const id = country + number
      const earlier = kept.get(id)
      if (earlier && now() < earlier.until) return earlier.answer
      if (now() < (downUntil.get(country) ?? 0)) throw new Error(`The office of ${country} does not answer.`)
      const answer = ask(`${url}/ms/${country}/vat/${encodeURIComponent(number)}`, timeoutMs)
      keep(id, answer, timeoutMs)
      try {
        keep(id, answer, (await answer) ? KEPT_MS.known : KEPT_MS.unknown)
      } catch {
        kept.delete(id)
        downUntil.set(country, now() + KEPT_MS.down)
      }
      return answer
    },
  }
}

/** What it says instead of an answer, when it is not that the id is unknown: `MS_UNAVAILABLE`, `TIMEOUT`, … */
const UNKNOWN: ReadonlySet<unknown> = new Set(['INVALID', 'INVALID_INPUT'])

async function ask(url: string, timeoutMs: number): Promise<boolean> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`VIES answered ${response.status}.`)
  const answer: unknown = JSON.parse(await limitedText(response))
  if (typeof answer !== 'object' || answer === null || !('isValid' in answer))
    throw new Error('VIES answered something else.')
  if (answer.isValid === true) return true
  if ('userError' in answer && UNKNOWN.has(answer.userError)) return false
  throw new Error('The office of the country did not answer VIES.')
}

async function limitedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > MAX_ANSWER_BYTES) throw new Error('VIES answered too much.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
