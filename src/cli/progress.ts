/** Where a bar is drawn. */
export type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean | undefined }

export interface Progress {
  /** Bytes so far. */
  at(done: number): void
  end(): void
}

const NONE: Progress = { at: () => {}, end: () => {} }

/** A bar from nothing to `total` bytes, for people at a terminal; nothing anywhere else. */
export async function progressOn(terminal: Terminal | null, what: string, total: number): Promise<Progress> {
  if (!terminal?.isTTY) return NONE
  const { SingleBar, Presets } = (await import('cli-progress')).default
  const format = `${what} {bar} {percentage}% {eta}s`
  const bar = new SingleBar({ format, hideCursor: true, stream: terminal }, Presets.shades_classic)
  bar.start(total, 0)
  return { at: (done) => bar.update(done), end: () => bar.stop() }
}
