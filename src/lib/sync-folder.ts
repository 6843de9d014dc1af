import { mkdir, open } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

/** Makes a name that was given in a folder survive a loss of power; not every system lets a folder be opened. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/** Makes a folder, and those above it that are not there, for their owner only; their names survive a loss of power. */
export async function makeDurableFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  let place = dirname(first)
  for (const name of relative(place, folder).split(sep)) {
    await syncFolder(place)
    place = join(place, name)
  }
}
