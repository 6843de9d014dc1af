import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kill, pid } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { sourceHash } from '../src/web/source-hash.ts'
import type { BuiltFile, BuiltPage, Manifest } from '../src/web/manifest.ts'
import { bundleEmbedded, bundlePages, bundleServer, type Bundled } from './bundle.ts'

/**
 * `npm run build:web`: builds the front ends into `web/dist`, where the server finds them by the hash of the sources.
 * Files are written first and the list of them last, so that a build that was cut off counts as none.
 */
const web = import.meta.dirname
const dist = join(web, 'dist')
const lock = join(dist, 'lock')

/** Files that other sites have in their pages: name of the fixed file → its source. */
const EMBEDDED: Readonly<Record<string, string>> = {
  'overlay.js': 'embed/overlay.ts',
  'legacy.js': 'embed/legacy.ts',
  'pricing.js': 'embed/pricing.ts',
}
const PICTURES = ['spinner.svg', 'favicon.svg']
const PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  ['checkout', 'pricing', 'contact', 'designer'].map((name) => [name, `${name}/main.tsx`]),
)
/** Pages of whoever signs in, with far more in them. */
const APPS: Readonly<Record<string, string>> = { dashboard: 'dashboard/main.tsx', portal: 'portal/main.tsx' }
/** What the server runs to draw a page before its script does. */
const SERVERS: Readonly<Record<string, string>> = { pricing: 'pricing/server.tsx' }
/** What stands in the page itself. */
const HEADS: Readonly<Record<string, string>> = {
  checkout: 'checkout/head.ts',
  pricing: 'pricing/head.ts',
  dashboard: 'ui/head.ts',
  portal: 'ui/head.ts',
}

/** Days for which files of earlier builds stay: pages that were opened before an upgrade still load them. */
const KEPT_DAYS = 30

async function main(): Promise<void> {
  await mkdir(join(dist, 'files'), { recursive: true })
  const source = await sourceHash(web)
  const free = await takeLock()
  try {
    const manifest = join(dist, `${source}.json`)
    if (existsSync(manifest)) return say('The pages are built.')
    const started = performance.now()
    await writeWhole(manifest, JSON.stringify(await build(source), null, 1))
    await tidy(source)
    say(`Built the pages in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
  } finally {
    await free()
  }
}

async function build(source: string): Promise<Manifest> {
  const files: Record<string, BuiltFile> = {}
  const keep = async (name: string, content: string | Uint8Array) => {
    files[name] = await store(name, Buffer.from(content))
    return name
  }
  say('Building the pages.')
  const pages: Record<string, BuiltPage> = {}
  for (const [library, entries] of [
    ['preact', PAGES],
    ['react', APPS],
  ] as const) {
    const bundled = await bundlePages(web, entries, library)
    for (const { name, content } of bundled.files) await keep(name, content)
    for (const name of Object.keys(entries)) {
      pages[name] = { ...pageOf(bundled, name), head: await headOf(name) }
    }
  }
  const servers: Record<string, string> = {}
  for (const [name, entry] of Object.entries(SERVERS)) {
    const script = await bundleServer(web, entry)
    servers[name] = withHash(`${name}-server.mjs`, script)
    await writeWhole(join(dist, 'files', servers[name]), script)
  }
  const fixed: Record<string, string> = {}
  for (const [name, entry] of Object.entries(EMBEDDED)) {
    say(`Building ${name}.`)
    const script = await bundleEmbedded(web, entry)
    fixed[name] = await keep(withHash(name, script), script)
  }
  for (const name of PICTURES) {
    const picture = await readFile(join(web, 'shared', name))
    fixed[name] = await keep(withHash(name, picture), picture)
  }
  return { source, pages, servers, fixed, files }
}

function pageOf({ pages }: Bundled, name: string): Omit<BuiltPage, 'head'> {
  const page = pages[name]
  if (!page) throw new Error(`Nothing was built for ${name}.`)
  return page
}

async function headOf(name: string): Promise<string> {
  const entry = HEADS[name]
  return entry === undefined ? '' : (await bundleEmbedded(web, entry)).trim()
}

const withHash = (name: string, content: string | Buffer) =>
  name.replace('.', `-${hash('sha256', content, 'hex').slice(0, 10)}.`)

/** Writes a file, and its packed forms where they are smaller. */
async function store(name: string, content: Buffer): Promise<BuiltFile> {
  const type = name.slice(name.lastIndexOf('.') + 1)
  const br = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  const gz = gzipSync(content, { level: 9 })
  const path = join(dist, 'files', name)
  await writeWhole(path, content)
  const isSmaller = br.length < content.length && gz.length < content.length
  if (!isSmaller) return { type, size: content.length }
  await writeWhole(`${path}.br`, br)
  await writeWhole(`${path}.gz`, gz)
  return { type, size: content.length, br: br.length, gzip: gz.length }
}

/** A file that is there is whole. */
async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.${pid}`
  await writeFile(draft, content)
  await rename(draft, path)
}

/** One build at a time; one whose process is gone holds nobody up. */
async function takeLock(): Promise<() => Promise<void>> {
  for (;;) {
    const file = await open(lock, 'wx').catch(() => null)
    if (file) {
      await file.writeFile(String(pid))
      await file.close()
      return () => rm(lock, { force: true })
    }
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''))
    if (!isAlive(holder)) await rm(lock, { force: true })
    await sleep(200)
  }
}

/** A lock that has no number yet was taken this moment. */
function isAlive(holder: number): boolean {
  if (holder === 0) return true
  try {
    return kill(holder, 0)
  } catch {
    return false
  }
}

/** Removes the lists of other builds, and files that only those name once they are old. */
async function tidy(source: string): Promise<void> {
  const now = Date.now()
  for (const name of await readdir(dist)) {
    if (name.endsWith('.json') && name !== `${source}.json`) await rm(join(dist, name), { force: true })
  }
  const { files, servers } = JSON.parse(await readFile(join(dist, `${source}.json`), 'utf8')) as Manifest
  const folder = join(dist, 'files')
  for (const name of await readdir(folder)) {
    const isNamed =
      files[name.replace(/\.(br|gz)$/, '')] !== undefined || Object.values(servers).includes(name)
    const { mtimeMs } = await stat(join(folder, name))
    if (!isNamed && now - mtimeMs > KEPT_DAYS * 86_400_000) await rm(join(folder, name), { force: true })
  }
}

const say = (text: string) => console.log(text)

await main()
