/** Why a call was refused, as the server says it. */
export class Problem extends Error {
  /** HTTP status; 0: nobody answered. */
  readonly status: number
  readonly code: string
  /** What is wrong with which argument. */
  readonly details: readonly { readonly field: string; readonly message: string }[]
  /** Names the call in the log of the server. */
  readonly requestId: string | null

  constructor(
    said: Pick<Problem, 'status' | 'code' | 'message'> & Partial<Pick<Problem, 'details' | 'requestId'>>,
  ) {
    super(said.message)
    this.name = 'Problem'
    this.status = said.status
    this.code = said.code
    this.details = said.details ?? []
    this.requestId = said.requestId ?? null
  }

  /** Whether the same call may succeed in a moment: nobody answered, or who did was too busy. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 503
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface Call {
  readonly method: Method
  /** The whole path, with whatever comes before `/v1`. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Told each time that the call has to wait, for so many milliseconds, and with null when it need no longer. */
  readonly waits?: (problem: Problem | null, forMs: number) => void
  /** Which problems it tries again after; absent: those that pass by themselves. */
  readonly isTriedAgain?: (problem: Problem) => boolean
}

/** Milliseconds between tries of a call that nobody answered, and of one whose server says nothing better. */
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000] as const

/** Milliseconds after which a call that nobody answers counts as lost. */
const PATIENCE = 60_000

/** Makes a call and answers its JSON; what passes by itself is tried again, and anything else throws a `Problem`. */
export async function call<T>(about: Call): Promise<T> {
  for (let tries = 0; ; tries++) {
    const answer = await ask<T>(about)
    if (!(answer instanceof Refusal)) {
      if (tries > 0) about.waits?.(null, 0)
      return answer.value
    }
    const { problem } = answer
    const isTriedAgain = about.isTriedAgain?.(problem) ?? problem.isPassing
    const pause = isTriedAgain ? PAUSES[tries] : undefined
    if (pause === undefined) throw problem
    const forMs = Math.max(pause, answer.after)
    about.waits?.(problem, forMs)
    await new Promise((resolve) => setTimeout(resolve, forMs))
  }
}

class Refusal {
  readonly problem: Problem
  /** Milliseconds that the server wants to be left alone, half a minute at most. */
  readonly after: number

  constructor(problem: Problem, after = 0) {
    this.problem = problem
    this.after = Math.min(after, 30_000)
  }
}

async function ask<T>({ method, path, body, headers }: Call): Promise<{ readonly value: T } | Refusal> {
  try {
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: { ...(isJson(body) && { 'content-type': 'application/json' }), ...headers },
      signal: AbortSignal.timeout(PATIENCE),
      ...(body !== undefined && { body: isJson(body) ? JSON.stringify(body) : (body as FormData) }),
    })
    const text = await response.text()
    if (response.ok) return { value: (text === '' ? null : JSON.parse(text)) as T }
    const after = Number(response.headers.get('retry-after') ?? 0) * 1_000
    return new Refusal(
      problemIn(text, response.status, response.headers.get('x-request-id')),
      Number.isFinite(after) ? after : 0,
    )
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return new Refusal(new Problem({ status: 0, code: 'no_answer', message }))
  }
}

/** A form has a file in it, and says itself what it is. */
const isJson = (body: unknown): boolean => body !== undefined && !(body instanceof FormData)

interface Said {
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly details?: readonly { readonly field?: string; readonly message?: string }[]
  }
}

/** What an answer that is no success says of why; `requestId` is its `X-Request-Id`. */
export function problemIn(text: string, status: number, requestId: string | null): Problem {
  const { error = {} } = parsed(text)
  return new Problem({
    status,
    code: error.code ?? `http_${status}`,
    message: error.message ?? '',
    details: (error.details ?? []).map(({ field = '', message = '' }) => ({ field, message })),
    requestId,
  })
}

function parsed(text: string): Said {
  try {
    return (JSON.parse(text) as Said | null) ?? {}
  } catch {
    return {}
  }
}
