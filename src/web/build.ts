import { spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import { once } from '../lib/once.ts'
import type { Manifest } from './manifest.ts'
import { sourceHash } from './source-hash.ts'

/** Why there is no page to show: it is being built, could not be, or nothing here can build it. */
export type Unbuilt = 'building' | 'failed' | 'no tools'

/**
 * The built front ends beside the server. A build that fits the sources is made by a process of its own at the first
 * need, so that neither the start nor the interface waits for it.
 */
export class WebBuild {
  readonly #web: string
  #found: Manifest | undefined
  #isBuilding = false
  #hasFailed = false
  readonly #source: () => Promise<string>

  /** `web` is the folder of the sources, with what was built in `dist`. */
  constructor(web: string) {
    this.#web = web
    this.#source = once(() => sourceHash(web))
  }

  /** The build that fits the sources, once it was found. */
  get found(): Manifest | undefined {
    return this.#found
  }

  /** The build that fits the sources; begins to make it where it is not there. */
  async find(log: Logger): Promise<Manifest | Unbuilt> {
    this.#found ??= await this.#read()
    if (this.#found) return this.#found
    if (!existsSync(join(this.#web, 'build.ts')) || !hasVite()) return 'no tools'
    if (this.#hasFailed) return 'failed'
    if (!this.#isBuilding) void this.#make(log)
    return 'building'
  }

  /** A file of this or an earlier build; undefined: there is none. */
  async file(name: string): Promise<Buffer | undefined> {
    return readFile(join(this.#web, 'dist', 'files', name)).catch(() => undefined)
  }

  /** A module of the build, which the server runs. */
  async module<T>(name: string): Promise<T> {
    return (await import(pathToFileURL(join(this.#web, 'dist', 'files', name)).href)) as T
  }

  async #make(log: Logger): Promise<void> {
    this.#isBuilding = true
    log.info('building the pages')
    this.#hasFailed = !(await runBuild(join(this.#web, 'build.ts'), log))
    this.#isBuilding = false
  }

  async #read(): Promise<Manifest | undefined> {
    const name = existsSync(join(this.#web, 'build.ts'))
      ? `${await this.#source()}.json`
      : await this.#packed()
    const text = await readFile(join(this.#web, 'dist', name), 'utf8').catch(() => null)
    return text === null ? undefined : (JSON.parse(text) as Manifest)
  }

  /** A packed release has no sources, and one build. */
  async #packed(): Promise<string> {
    const names = await readdir(join(this.#web, 'dist')).catch(() => [])
    return names.find((name) => name.endsWith('.json')) ?? 'none.json'
  }
}

function hasVite(): boolean {
  try {
    import.meta.resolve('vite')
    return true
  } catch {
    return false
  }
}

/** Runs the build, and logs what it says. */
async function runBuild(program: string, log: Logger): Promise<boolean> {
  const child = spawn(execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const line of [child.stdout, child.stderr]) {
    createInterface(line).on('line', (text) => log.info({ build: text }, 'building the pages'))
  }
  const [code] = await event(child, 'exit')
  if (code !== 0) log.error({ code }, 'the pages could not be built: run "npm run build:web"')
  return code === 0
}

export const webBuild = new WebBuild(join(import.meta.dirname, '../../web'))
