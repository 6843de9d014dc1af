import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MANIFEST = 'seed.json'

export interface CopiedFolder<Manifest> {
  readonly folder: string
  readonly manifest: Manifest
  remove(): Promise<void>
}

/**
 * A data folder on the disk: a copy of one that `make` filled once for each version of the schema and of `files`.
 * What `make` answers comes back with every copy.
 */
export async function copyOfTemplate<Manifest>(
  name: string,
  files: readonly URL[],
  make: (folder: string) => Promise<Manifest>,
): Promise<CopiedFolder<Manifest>> {
  const prefix = `keywright-bench-${name}-`
  const template = join(tmpdir(), prefix + versionOf(files))
  if (!existsSync(template)) {
    for (const old of readdirSync(tmpdir()).filter((other) => other.startsWith(prefix))) {
      await rm(join(tmpdir(), old), { recursive: true, force: true })
    }
    await makeTemplate(template, make)
  }
  const folder = await mkdtemp(join(tmpdir(), 'keywright-bench-run-'))
  await cp(template, folder, { recursive: true })
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest
  return { folder, manifest, remove: () => rm(folder, { recursive: true }) }
}

async function makeTemplate(folder: string, make: (folder: string) => Promise<unknown>): Promise<void> {
  const draft = await mkdtemp(join(tmpdir(), 'keywright-bench-draft-'))
  try {
    await writeFile(join(draft, MANIFEST), JSON.stringify(await make(draft)))
    await rename(draft, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Another one whenever the migrations or these files change. */
function versionOf(files: readonly URL[]): string {
  const migrations = new URL('../src/db/migrations/', import.meta.url)
  const all = [...readdirSync(migrations).map((name) => new URL(name, migrations)), ...files]
  const hash = createHash('sha256')
  for (const file of all) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}
