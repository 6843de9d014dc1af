/** Splits a file of values with commas or semicolons between them (RFC 4180) into rows; empty ones are left out. */
export function rowsOf(text: string): string[][] {
  const separator = /^[^\n]*;/.test(text) && !/^[^\n;]*,/.test(text) ? ';' : ','
  const rows: string[][] = []
  let row: string[] = []
  let value = ''
  let isQuoted = false
  const endValue = () => {
    row.push(value.trim())
    value = ''
  }
  const endRow = () => {
    endValue()
    if (row.some((one) => one !== '')) rows.push(row)
    row = []
  }
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  for (let at = 0; at < plain.length; at++) {
    const char = plain.charAt(at)
    if (isQuoted && char === '"' && plain.charAt(at + 1) === '"') {
      value += '"'
      at++
    } else if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && char === separator) endValue()
    else if (!isQuoted && char === '\n') endRow()
    else value += char
  }
  endRow()
  return rows
}

const FIELDS = ['email', 'name', 'license_key', 'expires_at'] as const

/** A license to issue, as a row of a file says it. */
export interface Wanted extends Partial<Record<(typeof FIELDS)[number], string>> {
  /** Where it stands in the file; the names are row 1. */
  readonly row: number
}

/** The licenses that a file wants; its first row names its columns. Null: it names none that is known. */
export function wantedIn(text: string): readonly Wanted[] | null {
  const [names = [], ...rows] = rowsOf(text)
  const columns = FIELDS.flatMap((field) => {
    const at = names.findIndex((name) => name.toLowerCase() === field)
    return at === -1 ? [] : [[field, at] as const]
  })
  if (columns.length === 0) return null
  return rows.map((values, index) => ({
    row: index + 2,
    ...Object.fromEntries(
      columns.flatMap(([field, at]) => (values[at] ? [[field, values[at]] as const] : [])),
    ),
  }))
}
