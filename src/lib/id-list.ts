/** `3, 1,2` → `[3, 1, 2]`; empty text → none; null when something in it is no id, or stands there twice. */
export function parseIdList(text: string): number[] | null {
  if (text.trim() === '') return []
  const parts = text.split(',').map((part) => part.trim())
  const isList = parts.every((part) => /^[1-9][0-9]{0,15}$/.test(part) && Number.isSafeInteger(Number(part)))
  if (!isList || new Set(parts).size < parts.length) return null
  return parts.map(Number)
}
