import type { OnStep } from '../../lib/step.ts'
import type { Storage } from './storage.ts'

/** Copies what one storage has and another one has not, checking the bytes by their names; how many. */
export async function copyFiles(from: Storage, to: Storage, onStep?: OnStep): Promise<number> {
  const known = new Set<string>()
  for await (const { sha256 } of to.list()) known.add(sha256)
  const missing: { readonly sha256: string; readonly size: number }[] = []
  for await (const file of from.list()) if (!known.has(file.sha256)) missing.push(file)
  const all = missing.reduce((sum, { size }) => sum + size, 0)
  let [copied, done] = [0, 0]
  for (const { sha256, size } of missing) {
    onStep?.({ what: 'copying archives', done, of: all, unit: 'bytes' })
    done += size
    const file = await from.read(sha256)
    // A version that is deleted meanwhile takes its archive along.
    if (!file) continue
    const received = await to.receive(file.chunks, size).finally(() => file.close())
    try {
      if (received.sha256 !== sha256) throw new OtherBytes(`The archive ${sha256} is damaged.`)
      await to.keep(received)
    } finally {
      await to.discard(received)
    }
    copied++
  }
  return copied
}

/** A file is not what its name says. */
export class OtherBytes extends Error {}
