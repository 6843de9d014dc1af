// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { pluginZip, SMALL_ZIP } from '../../test/archives.ts'
import { addressOf, bearer, type Place } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { dropTo, type Cut } from '../../test/dropping-proxy.ts'

let place: Place
let close = async () => {}
/** Of the server, its product and how it is reached. */
let address: string
let product: string
let env: { readonly KEYWRIGHT_API_TOKEN: string }
before(async () => {
  place = await openDemoPlace({ after: (work) => void (close = work as typeof close) }, 'deploy')
  const server = await place.start(['serve', '--demo'])
  address = addressOf(server)
  product = server.value['product_id'] ?? ''
  env = { KEYWRIGHT_API_TOKEN: server.value['api_token'] ?? '' }
})
after(() => close())

interface Tag {
  readonly version: string
  readonly release_mode: string
}

/** How each version of this number is released, of which there should be one. */
async function modesOf(version: string): Promise<string[]> {
  const tags = `${address}/v1/products/${product}/tags.json?count=50`
  const response = await fetch(tags, { headers: bearer(env.KEYWRIGHT_API_TOKEN) })
  const { tags: found } = (await response.json()) as { tags: readonly Tag[] }
  return found.filter((tag) => tag.version === version).map(({ release_mode: mode }) => mode)
}

/** Of a connection that is not cut. */
const WHOLE: Cut = { way: 'there', after: Infinity }

test('a version is uploaded and released by one command, which may be repeated after it broke off', async () => {
  const file = join(place.folder, 'example.zip')
  await writeFile(file, await pluginZip({ version: '77.0' }))
  const args = ['deploy', file, '--product', product, '--release-mode', 'released', '--server']
  const broken = createServer((socket) => socket.once('data', () => socket.destroy()))
  await new Promise<void>((resolve) => void broken.listen(0, '127.0.0.1', resolve))
  const { port } = broken.address() as { port: number }
  const cut = await place.run([...args, `http://127.0.0.1:${port}`, '--json'], { env })
  broken.close()
  assert.deepEqual([cut.code, JSON.parse(cut.stderr).error.code], [1, 'not_sent'])
  const first = await place.ask([...args, address], { env })
  const second = await place.ask([...args, address], { env })
  assert.deepEqual([first.version, first.release_mode, second.id], ['77.0', 'released', first.id])
  const plain = ['deploy', file, '--product', product, '--server', address]
  const shown = await place.ask(plain, { env })
  assert.deepEqual([shown.id, shown.release_mode], [first.id, 'released'], 'it is what it is on the server')
  const other = await place.run([...plain, '--requires', '6.0', '--json'], { env })
  assert.deepEqual([other.code, JSON.parse(other.stderr).error.code], [1, 'tag_version_taken'])
  const own = `${address}/v1/products/${product}/tags/${first.id}.json`
  assert.equal((await fetch(own, { method: 'DELETE', headers: bearer(env.KEYWRIGHT_API_TOKEN) })).status, 204)
  const anew = await place.ask([...args, address], { env })
  const again = await place.ask([...args, address], { env })
  assert.deepEqual([anew.release_mode, again.id], ['released', anew.id])
  assert.notEqual(anew.id, first.id, 'what was deleted is uploaded again')
  assert.deepEqual(await modesOf('77.0'), ['released'])
  await writeFile(file, SMALL_ZIP)
  const refused = await place.run([...args, address, '--json'], { env })
  assert.deepEqual([refused.code, JSON.parse(refused.stderr).error.code], [1, 'invalid_archive'])
})

test('one version is left whatever became of an earlier run: cut in the file, before or in the answer, before the release', async (t) => {
  const proxy = await dropTo(address)
  t.after(proxy.close)
  const noise = randomBytes(500_000)
  const drops: Record<string, [Cut[], number]> = {
    'in the file': [[{ way: 'there', after: 250_000 }], 0],
    'before the answer': [[{ way: 'back', after: 0 }], 1],
    'in the answer': [[{ way: 'back', after: 700 }], 1],
    'before the release': [[WHOLE, { way: 'back', after: 0 }], 1],
    twice: [
      [
        { way: 'there', after: 5_000 },
        { way: 'back', after: 0 },
      ],
      1,
    ],
  }
  const args = ['--product', product, '--release-mode', 'released', '--server', proxy.address]
  for (const [index, [name, [cuts, left]]] of Object.entries(drops).entries()) {
    const version = `78.${index}`
    const file = join(place.folder, `${version}.zip`)
    await writeFile(file, await pluginZip({ version, files: { 'example/noise.bin': noise } }))
    const command = ['deploy', file, ...args]
    await proxy.cut(...cuts)
    for (const _ of cuts.filter((cut) => cut !== WHOLE)) {
      const run = await place.run([...command, '--json'], { env })
      assert.deepEqual([run.code, run.code && JSON.parse(run.stderr).error.code], [1, 'not_sent'], name)
    }
    assert.equal((await modesOf(version)).length, left, name)
    const done = await place.ask(command, { env })
    assert.deepEqual([done.version, done.release_mode], [version, 'released'], name)
    assert.deepEqual(await modesOf(version), ['released'], name)
  }
})

test('a refusal that comes before the whole file was sent is told at once, as the person wrote the path', async () => {
  const name = 'refused.zip'
  await writeFile(
    join(place.folder, name),
    await pluginZip({ files: { 'example/noise.bin': randomBytes(4_000_000) } }),
  )
  const began = Date.now()
  const args = ['deploy', name, '--product', product, '--server', address, '--json']
  const { code, stderr } = await place.run(args, {
    env: { KEYWRIGHT_API_TOKEN: 'kw_no', INIT_CWD: place.folder },
  })
  const { code: refused, message } = JSON.parse(stderr).error
  assert.deepEqual([code, refused], [1, 'token_unknown'])
  assert.match(message, /token/)
  assert.ok(Date.now() - began < 15_000)
  const odd = await place.run(args, { env: { KEYWRIGHT_API_TOKEN: 'kw_…', INIT_CWD: place.folder } })
  assert.deepEqual([odd.code, JSON.parse(odd.stderr).error.code], [1, 'no_token'])
})

test('what the server says of a token is told in its own code and words', async () => {
  await writeFile(join(place.folder, 'own.zip'), await pluginZip({ version: '76.0' }))
  const deploy = async (of: string, token: string) => {
    const args = ['deploy', 'own.zip', '--product', of, '--server', address, '--json']
    const { code, stderr } = await place.run(args, {
      env: { KEYWRIGHT_API_TOKEN: token, INIT_CWD: place.folder },
    })
    assert.equal(code, 1)
    return JSON.parse(stderr).error as { readonly code: string; readonly message: string }
  }
  const asked = async (of: string, token: string) => {
    const path = `${address}/v1/products/${of}/tags.json`
    const { error } = (await (await fetch(path, { headers: bearer(token) })).json()) as {
      readonly error: { readonly code: string; readonly message: string }
    }
    return error
  }
  const codes = []
  for (const [of, token] of [
    [product, `kw_${'x'.repeat(40)}`],
    ['999999', env.KEYWRIGHT_API_TOKEN],
  ] as const) {
    const [told, server] = [await deploy(of, token), await asked(of, token)]
    assert.deepEqual([told.code, told.message], [server.code, server.message])
    codes.push(told.code)
  }
  assert.deepEqual(codes, ['token_unknown', 'token_wrong_product'])
})

test('uploads of one file at once wait for one another, and come to one version', async () => {
  const file = join(place.folder, 'twice.zip')
  await writeFile(
    file,
    await pluginZip({ version: '80.0', files: { 'example/noise.bin': randomBytes(3_000_000) } }),
  )
  const args = ['deploy', file, '--product', product, '--server', address]
  const runs = await Promise.all([1, 2, 3].map(() => place.run(args, { env })))
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 0],
  )
  assert.equal(new Set(runs.map(({ stdout }) => stdout)).size, 1)
  assert.ok(runs.some(({ stderr }) => stderr.includes('still in work')))
  assert.deepEqual(await modesOf('80.0'), ['pending'])
})

test('of a version without a free build it is told why', async () => {
  const cases = [
    [{ version: '76.0', readme: false }, 'no_readme', 'there is no readme.txt in the archive'],
    [
      { version: '76.1', sdk: false },
      'no_sdk',
      'there is no SDK in the archive, and the product requires one',
    ],
  ] as const
  for (const [packed, code, why] of cases) {
    const file = join(place.folder, `${packed.version}.zip`)
    await writeFile(file, await pluginZip(packed))
    const args = ['deploy', file, '--product', product, '--server', address]
    const { stdout } = await place.run(args, { env })
    assert.ok(stdout.endsWith(`is pending, with a premium build only: ${why}.\n`), stdout)
    assert.equal((await place.ask(args, { env })).no_free, code)
  }
})

test('a person at a terminal sees how far the upload is, a program and a file of output nothing', async () => {
  const drawn = async (version: string, isTTY: boolean, ...more: string[]) => {
    const file = join(place.folder, `${version}.zip`)
    await writeFile(
      file,
      await pluginZip({ version, files: { 'example/noise.bin': randomBytes(1_000_000) } }),
    )
    const terminal = Object.assign(new PassThrough(), { isTTY })
    const args = ['deploy', file, '--product', product, '--server', address, ...more]
    const { code, stdout } = await place.run(args, { env, terminal })
    assert.equal(code, 0)
    terminal.end()
    return { stdout, bar: await text(terminal) }
  }
  const person = await drawn('79.0', true)
  assert.match(person.bar, /uploading: \d\.\d of 1\.0 MB, \d+ % …/)
  assert.ok(person.bar.endsWith('\r\u001b[K'))
  assert.equal(
    person.stdout,
    `Version 79.0 (${/\((\d+)\)/.exec(person.stdout)?.[1]}) is pending, with a free and a premium build.\n`,
  )
  assert.equal((await drawn('79.1', false)).bar, '')
  assert.equal((await drawn('79.2', true, '--json')).bar, '')
})
