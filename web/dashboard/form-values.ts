/** A field of a form, by the name that the interface has for it. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly help?: string | undefined
  /** Absent: a line of text; `list`: an array, a line each. */
  readonly kind?: 'lines' | 'number' | 'flag' | 'choice' | 'numbered' | 'many' | 'list' | 'email' | 'url'
  /** Of a choice; of `numbered` the values are numbers; of `many` any number of them, sent with commas between. */
  readonly options?: readonly (readonly [value: string, label: string])[]
  /** What is sent for an empty field: null, or nothing; absent: the empty text. */
  readonly empty?: null | 'left out'
}

export type Values = Readonly<Record<string, unknown>>

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : Array.isArray(value)
      ? value.join('\n')
      : ''

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A number with a point or a comma; what is none is sent as it is, and refused at its field. */
const numberIn = (text: string): number | string =>
  /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : text

/** What a field says, as the interface takes it; undefined: nothing. */
function readField({ name, kind, empty }: Field, form: FormData): unknown {
  if (kind === 'flag') return form.has(name)
  if (kind === 'list') return linesOf(textOf(form.get(name)))
  const typed = kind === 'many' ? form.getAll(name).join(',') : textOf(form.get(name))
  const text = typed.trim()
  if (text === '') return empty === 'left out' ? undefined : empty === null || kind === 'number' ? null : ''
  return kind === 'number' || kind === 'numbered' ? numberIn(text) : text
}

/** As a field is filled with what is there. */
const shownIn = (field: Field, value: unknown): string | boolean =>
  field.kind === 'flag'
    ? value === true
    : field.kind === 'many'
      ? chosenIn(field, value).join(',')
      : textOf(value)

/** Which of the options of a field a list names, in the order of the options. */
export function chosenIn({ options = [] }: Field, value: unknown): readonly string[] {
  const named = textOf(value).split(',')
  return options.map(([key]) => key).filter((key) => named.includes(key))
}

/** What of a form differs from what it was filled with. */
export function changesOf(fields: readonly Field[], before: Values, form: FormData): Record<string, unknown> {
  const changed: Record<string, unknown> = {}
  for (const field of fields) {
    const value = readField(field, form)
    const shown = field.kind === 'flag' ? value === true : textOf(value)
    if (value !== undefined && shown !== shownIn(field, before[field.name])) changed[field.name] = value
  }
  return changed
}
