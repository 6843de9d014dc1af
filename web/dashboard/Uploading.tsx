import { fill } from '../shared/language.ts'

interface Of {
  /** From 0 to 1; null: nothing is on its way. */
  readonly share: number | null
  readonly file: string
  readonly words: {
    /** What is uploaded. */
    readonly label: string
    /** With `{percent}` and `{file}`. */
    readonly uploading: string
    /** All of it has gone, and its server reads it. */
    readonly over: string
  }
}

/** How much of a file has gone (`useUpload`). */
export function Uploading({ share, file, words }: Of) {
  if (share === null) return null
  const percent = Math.floor(share * 100)
  return (
    <div className="stack progress">
      <progress value={share} max={1} aria-label={words.label} />
      <p className="muted" role={share === 1 ? 'status' : undefined}>
        {share === 1 ? words.over : fill(words.uploading, { percent, file })}
      </p>
    </div>
  )
}
