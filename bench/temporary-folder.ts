import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A fresh folder on the disk; it goes with `closing`. */
export async function temporaryFolder(closing: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keywright-bench-run-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}
