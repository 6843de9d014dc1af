/**
 * `12, 1,12` → `[1, 12]`: whole numbers from 0 in ascending order, each once. Empty text → none; null when
 * something in it is no such number.
 */
export function parseNumberList(text: string): number[] | null {
  if (text.trim() === '') return []
  const parts = text.split(',').map((part) => part.trim())
  if (!parts.every((part) => /^(0|[1-9][0-9]{0,14})$/.test(part))) return null
  return [...new Set(parts.map(Number))].toSorted((a, b) => a - b)
}
