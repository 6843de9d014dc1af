/** A machine that is to have a license without a network. */
export interface Machine {
  readonly uid: string
  readonly title: string
}

const LONGEST = 10_000

/**
 * The machine that a request file names (`docs/license-files.md`): JSON with its `uid` and, if it has one, `title`, or
 * the `uid` alone as text. Null: it names none.
 */
export function machineIn(text: string): Machine | null {
  const plain = text.trim().slice(0, LONGEST)
  if (!plain.startsWith('{')) return plain === '' || /\s/.test(plain) ? null : { uid: plain, title: '' }
  try {
    const { uid, title } = JSON.parse(plain) as { readonly uid?: unknown; readonly title?: unknown }
    if (typeof uid !== 'string' || uid === '') return null
    return { uid, title: typeof title === 'string' ? title : '' }
  } catch {
    return null
  }
}
