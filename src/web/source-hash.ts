import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What a page is built from; not what tests and the build leave. */
const SOURCES = '**/*.{ts,tsx,css,svg,json}'
/** What a page has in it from beside their folder. */
const BESIDE = ['../clients/license-file.mjs']
const isSource = (file: string): boolean => !file.startsWith('dist/') && !/\.test\.tsx?$/.test(file)

/** Names the state of the sources in `web/`, of what they take from beside it, and of the packages they are built with. */
export async function sourceHash(web: string): Promise<string> {
  const files = globSync(SOURCES, { cwd: web })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(isSource)
    .toSorted()
    .concat(BESIDE)
  const hash = createHash('sha256')
  const texts = await Promise.all(files.map((file) => readFile(join(web, file))))
  for (const [at, file] of files.entries()) hash.update(`${file}\0`).update(texts[at] ?? '')
  return hash.update(lockOf(web)).digest('hex').slice(0, 32)
}

/** Versions of the packages; a packed release has none, and is not built again. */
function lockOf(web: string): Buffer | string {
  try {
    return readFileSync(join(dirname(web), 'package-lock.json'))
  } catch {
    return ''
  }
}
