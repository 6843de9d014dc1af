/** How often it is told that there is some. */
const EVERY_MS = 250

let tell: () => void = () => {}
let last = 0

/** Calls `told` from now on, a few times a second at most, while an archive is read. */
export function onProgress(told: () => void): void {
  tell = told
}

/** Says that the reading of an archive goes on: a piece of a file was read, or another file was begun. */
export function progress(): void {
  const now = performance.now()
  if (now - last < EVERY_MS) return
  last = now
  tell()
}
