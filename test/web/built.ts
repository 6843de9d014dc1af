import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Manifest } from '../../src/web/manifest.ts'

const WEB = join(import.meta.dirname, '../../web')

let asked: Promise<Manifest> | undefined

/** Builds the pages unless they are built, and answers what the build says of itself; a process asks once. */
export const built = (): Promise<Manifest> => (asked ??= build())

async function build(): Promise<Manifest> {
  const child = spawn(process.execPath, [join(WEB, 'build.ts')], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  assert.equal(code, 0, `${said}${errors}`)
  const [name = ''] = (await readdir(join(WEB, 'dist'))).filter((file) => file.endsWith('.json'))
  return JSON.parse(await readFile(join(WEB, 'dist', name), 'utf8')) as Manifest
}
