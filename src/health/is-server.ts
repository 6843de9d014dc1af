/** What is dead refuses at once; a machine under load is slow. */
const ANSWER_MS = 10_000

/** Whether Keywright answers there, which a killed server does not any more. */
export async function isServer(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) })
    return response.headers.has('x-api-server')
  } catch {
    return false
  }
}
