import { access, constants, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryFolder = '/dev/shm'
const roomInBytes = 2 * 1024 ** 3

/** A fresh folder for test data, in memory where the machine has room there. Whoever asks for it removes it. */
export async function createTestFolder(name: string): Promise<string> {
  const base = (await hasRoom(memoryFolder)) ? memoryFolder : tmpdir()
  return mkdtemp(join(base, `keywright-${name}-`))
}

/** Each database of its own is some 300 files: 45 ms in memory, up to a second on a slow disk. */
async function hasRoom(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK)
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize >= roomInBytes
  } catch {
    return false
  }
}
