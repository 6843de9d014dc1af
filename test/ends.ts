const ends: (() => Promise<unknown> | undefined)[] = []

/** Has something done when the last test of this process has ended. */
export const atEnd = (end: () => Promise<unknown> | undefined): void => void ends.push(end)

/** Does what `atEnd` was told, the last first. */
export async function endAll(): Promise<void> {
  for (let end = ends.pop(); end; end = ends.pop()) await end()
}
