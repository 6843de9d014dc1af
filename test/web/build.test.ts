// Runs alone, slowly.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import { WebBuild } from '../../src/web/build.ts'
import { createLog } from '../../src/log.ts'
import { createTestFolder } from '../folder.ts'

const root = join(import.meta.dirname, '../..')

/** The sources of the pages in a folder of their own, without a build. */
async function sources(t: TestContext): Promise<string> {
  const folder = await createTestFolder('web-build')
  t.after(() => rm(folder, { recursive: true }))
  const isSource = (path: string) => !path.startsWith(join(root, 'web/dist'))
  await cp(join(root, 'web'), join(folder, 'web'), { recursive: true, filter: isSource })
  await mkdir(join(folder, 'src/web'), { recursive: true })
  await cp(join(root, 'src/web/source-hash.ts'), join(folder, 'src/web/source-hash.ts'))
  await cp(join(root, 'clients'), join(folder, 'clients'), { recursive: true })
  for (const name of ['package.json', 'tsconfig.json']) await cp(join(root, name), join(folder, name))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

function startBuild(folder: string) {
  const child = spawn(process.execPath, [join(folder, 'web/build.ts')], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([said, errors, [code]]) => ({ said, errors, code: code as number | null }),
  )
  return { child, ended }
}

const manifestsIn = async (folder: string) =>
  (await readdir(join(folder, 'web/dist'))).filter((name) => name.endsWith('.json'))

test('of any number of builds at once one is made, and the others take it', async (t) => {
  const folder = await sources(t)
  const ends = await Promise.all([1, 2, 3].map(() => startBuild(folder).ended))
  for (const { code, errors } of ends) assert.equal(code, 0, errors)
  assert.equal(ends.filter(({ said }) => said.includes('Built the pages')).length, 1)
  assert.equal((await manifestsIn(folder)).length, 1)
})

test('a build that is killed counts as none, and holds no other up', async (t) => {
  const folder = await sources(t)
  const { child, ended } = startBuild(folder)
  const [first] = (await once(child.stdout, 'data')) as [Buffer]
  assert.match(first.toString(), /Building/)
  child.kill('SIGKILL')
  await ended
  assert.deepEqual(await manifestsIn(folder), [])
  const { code, said, errors } = await startBuild(folder).ended
  assert.equal(code, 0, errors)
  assert.match(said, /Built the pages/)
})

test('a server builds the pages at the first need, waits for nothing, and says so when it cannot', async (t) => {
  const folder = await sources(t)
  const log = createLog('silent', { write: () => {} })
  const build = new WebBuild(join(folder, 'web'))
  assert.equal(await build.find(log), 'building')
  for (let tries = 0; typeof (await build.find(log)) === 'string'; tries++) {
    assert.ok(tries < 300, 'it is built within 30 seconds')
    await sleep(100)
  }
  await writeFile(join(folder, 'web/checkout/main.tsx'), 'this is <no program')
  const broken = new WebBuild(join(folder, 'web'))
  assert.equal(await broken.find(log), 'building')
  for (let tries = 0; (await broken.find(log)) === 'building'; tries++) {
    assert.ok(tries < 300)
    await sleep(100)
  }
  assert.equal(await broken.find(log), 'failed')
})
