import { access, constants, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryFolder = '/dev/shm'
const roomInBytes = 2 * 1024 ** 3

/** A fresh folder for test data, in memory where the machine has room there. Whoever asks for it removes it. */
export const createTestFolder = async (name: string): Promise<string> =>
  mkdtemp(join(await testFolders(), `keywright-${name}-`))

/** Where such folders are. */
export const testFolders = async (): Promise<string> =>
  (await hasRoom(memoryFolder)) ? memoryFolder : tmpdir()

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
