const MAX_LENGTH = 500

/** The message of whatever was thrown, as it is stored: at most 500 characters that both databases take. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll('\0', '').slice(0, MAX_LENGTH).toWellFormed()
}
