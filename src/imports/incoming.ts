import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context.ts'

/** Where what moves lies meanwhile, each import and export of an account in a folder that is named by its process. */
const FOLDER = 'incoming-import'

/** Does something with an empty folder, of which nothing is left; what processes left that were killed goes too. */
export async function withFolder<T>(
  { config }: Pick<Context, 'config'>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const all = join(config.dataDir, FOLDER)
  await removeLeft(all)
  await mkdir(all, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(all, `${process.pid}-`))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** There are keys in what was left by what was broken off. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (!isRunning(Number.parseInt(name, 10))) await rm(join(folder, name), { recursive: true, force: true })
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as { readonly code?: unknown }).code === 'EPERM'
  }
}
