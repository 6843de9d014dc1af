import type { ReadContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { ApiError, invalid } from '../../lib/errors.ts'

type Recaptcha = NonNullable<ReadContext['config']['recaptcha']>

const MAX_ANSWER_BYTES = 64 * 1024

/** Where the server checks reCAPTCHA, a login must bring a token of it. */
export function checkRecaptchaGiven(
  { config }: ReadContext,
  { recaptcha_token: token }: { readonly recaptcha_token?: string },
  problems: Problems,
): void {
  if (config.recaptcha === null || token || problems.has('recaptcha_token')) return
  problems.missing.push({ field: 'recaptcha_token', message: 'is required here' })
}

/**
 * Has the token of a login checked, where the server is set to; 400 `recaptcha_invalid` when it is none. While
 * the checking service does not answer as it should nobody is let in: 503 `recaptcha_unavailable`.
 */
export async function requireHuman(
  { config, log }: ReadContext,
  token: string | undefined,
  ip: string | null,
): Promise<void> {
  if (config.recaptcha === null) return
  let isHuman: boolean
  try {
    isHuman = await ask(config.recaptcha, token ?? '', ip)
  } catch (error) {
    log.error({ err: error }, 'reCAPTCHA could not be checked')
    throw new ApiError(503, 'recaptcha_unavailable', 'reCAPTCHA cannot be checked now; try again.', {
      headers: { 'retry-after': '10' },
    })
  }
  if (!isHuman) throw invalid('recaptcha_invalid', 'The reCAPTCHA token is not valid.')
}

async function ask({ secret, verifyUrl, timeoutMs }: Recaptcha, token: string, ip: string | null) {
  const response = await fetch(verifyUrl, {
    method: 'POST',
    body: new URLSearchParams({ secret, response: token, ...(ip !== null && { remoteip: ip }) }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`reCAPTCHA answered ${response.status}.`)
  const answer: unknown = JSON.parse(await limitedText(response))
  if (typeof answer !== 'object' || answer === null || !('success' in answer)) {
    throw new Error('reCAPTCHA answered without success.')
  }
  return answer.success === true
}

async function limitedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > MAX_ANSWER_BYTES) throw new Error('reCAPTCHA answered too much.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
