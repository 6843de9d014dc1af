import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openArchive, type Archive } from '../src/deployments/archive/archive.ts'
import { ArchiveRefused } from '../src/deployments/archive/safety.ts'

/** An archive of these bytes; its file is gone, and is read on until it is closed. */
export async function opened(bytes: Buffer): Promise<Archive> {
  const folder = await mkdtemp(join(tmpdir(), 'keywright-archive-'))
  const path = join(folder, 'archive.zip')
  try {
    await writeFile(path, bytes)
    return await openArchive(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The names in an archive that is taken. */
export async function taken(bytes: Buffer): Promise<string[]> {
  const archive = await opened(bytes)
  archive.close()
  return archive.entries.map(({ name }) => name)
}

/** An archive that is refused with this reason. */
export async function refused(bytes: Buffer | Promise<Buffer>, reason: RegExp): Promise<void> {
  await assert.rejects(taken(await bytes), (error) => {
    assert.ok(error instanceof ArchiveRefused, String(error))
    assert.match(error.message, reason)
    return true
  })
}
