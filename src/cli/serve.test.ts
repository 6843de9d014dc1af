// Runs on sqlite, beside others, slowly.
import assert from 'node:assert/strict'
import { once as event } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect as connectTo, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf, bearer, usersOf, type Place, type Started } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { startReceiver, type Receiver } from '../../test/webhooks.ts'

test('a demo started again adds nothing and prints a token that works, in place of the one before', async (t) => {
  const place = await openDemoPlace(t, 'serve-demo')
  const first = await place.start(['serve', '--demo'])
  const rows = await countRows(place)
  await first.stop()
  const second = await place.start(['serve', '--demo', '--no-jobs'])
  assert.deepEqual(await countRows(place), rows)
  const { api_token: old, address: _old, docs: _docs, sign_in_link: _link, ...rest } = first.value
  const { api_token: fresh, address: _fresh, docs: _docs2, sign_in_link: link, ...again } = second.value
  assert.deepEqual(again, rest)
  const works = await fetch(usersOf(second), { headers: bearer(fresh) })
  assert.equal(works.status, 200)
  const entered = await fetch(String(link), { method: 'POST', redirect: 'manual' })
  assert.deepEqual([entered.status, entered.headers.get('location')], [303, '../dashboard/'])
  const ended = await fetch(usersOf(second), { headers: bearer(old) })
  assert.equal(ended.status, 401)
  const { port } = new URL(addressOf(second))
  assert.equal((await place.run(['serve', '--demo'], { env: { PORT: port } })).code, 1)
  const still = await fetch(usersOf(second), { headers: bearer(fresh) })
  assert.equal(still.status, 200, 'a start that gets no port ends no token')
  const { code, stderr } = await second.stop()
  assert.equal(code, 0)
  for (const secret of [fresh, rest['product_secret_key'], rest['developer_secret_key']]) {
    assert.ok(secret && !stderr.includes(secret), 'a secret is in the log')
  }
})

async function countRows({ database }: Place) {
  const count = async (
    table: 'developers' | 'stores' | 'products' | 'users' | 'product_users' | 'billing',
  ) => {
    const found = await database.reader
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .execute()
    return [table, found[0]?.rows]
  }
  const tables = ['developers', 'stores', 'products', 'users', 'product_users', 'billing'] as const
  return Object.fromEntries(await Promise.all(tables.map(count))) as Record<string, number>
}

test('a stop under load fails no request and loses no job: what is in work is answered, what was caused is done by the next process', async (t) => {
  const place = await openDemoPlace(t, 'stop-load')
  const env = { KEYWRIGHT_MODE: 'development' }
  const server = await place.start(['serve', '--demo'], { env })
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const taken = taking(receiver, 5)
  const { url } = receiver
  assert.equal((await post(server, '/webhooks.json', { url, types: 'user.created' })).status, 201)
  const created: string[] = []
  const load = Array.from({ length: 8 }, (_, n) => untilRefused(server, { n, created }))
  const half = await halfSent(server)
  const kept = await openSocket(server)
  assert.equal((await ask(kept, '/readyz')).status, 200)
  while (created.length < 60) await sleep(10)
  const stopped = server.stop()
  let ready = await ask(kept, '/readyz')
  while (ready.status === 200) ready = await ask(kept, '/readyz')
  assert.equal(ready.status, 503)
  assert.match(ready.head, /^connection: close$/im)
  half.socket.write(half.rest)
  assert.equal((await readAnswer(half.socket)).status, 200)
  assert.deepEqual((await Promise.all(load)).flat(), [])
  assert.equal((await stopped).code, 0)
  assert.equal(taken.size, 5)
  taking(receiver, Number.POSITIVE_INFINITY, taken)
  await allDone(place, taken, ['late@example.com', ...created])
})

/** Answers so many deliveries, and leaves the others without an answer; whose events it has taken. */
function taking(receiver: Receiver, most: number, taken = new Set<string>()): Set<string> {
  receiver.answer = (response, { event: { objects } }) => {
    if (taken.size >= most) return
    taken.add(objects.user.email)
    response.end('ok')
  }
  return taken
}

/** A worker that starts later tells the listener of every user, and mails each. */
async function allDone(place: Place, taken: ReadonlySet<string>, emails: readonly string[]): Promise<void> {
  const worker = await place.start(['worker'], { env: { KEYWRIGHT_MODE: 'development' } })
  const end = performance.now() + 20_000
  const missing = async () => {
    const rows = await place.database.reader.selectFrom('mails').select(['recipient', 'state']).execute()
    const mailed = new Set(rows.filter(({ state }) => state === 'sent').map(({ recipient }) => recipient))
    return emails.filter((email) => !taken.has(email) || !mailed.has(email))
  }
  for (let left = await missing(); left.length > 0; left = await missing()) {
    assert.ok(performance.now() < end, `${left.length} of ${emails.length} are lost`)
    await sleep(20)
  }
  assert.equal((await worker.stop()).code, 0)
}

const post = (server: Started, path: string, body: object) =>
  fetch(usersOf(server).replace('/users.json', path), {
    method: 'POST',
    headers: { ...bearer(server.value['api_token']), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Creates a user and reads, again and again over one kept connection, until no new one is taken; what failed. */
async function untilRefused(
  server: Started,
  { n, created }: { readonly n: number; readonly created: string[] },
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { ...bearer(server.value['api_token']), 'content-type': 'application/json' }
  const failures: string[] = []
  for (let round = 0; ; round++) {
    const email = `loaded${n}.${round}@example.com`
    try {
      const body = JSON.stringify({ email, name: 'Some Body' })
      const statuses = [await send(usersOf(server), { agent, headers, method: 'POST' }, body)]
      created.push(email)
      statuses.push(await send(usersOf(server), { agent, headers }))
      failures.push(...statuses.filter((status) => status !== 200).map((status) => `status ${status}`))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      if (code !== 'ECONNREFUSED') failures.push(code)
      return failures
    }
  }
}

async function send(url: string, options: RequestOptions, body = ''): Promise<number | undefined> {
  const sent = request(url, options).end(body)
  const [response] = (await event(sent, 'response')) as [IncomingMessage]
  response.resume()
  await event(response, 'end')
  return response.statusCode
}

async function openSocket(server: Started): Promise<Socket> {
  const socket = connectTo({ host: '127.0.0.1', port: Number(new URL(addressOf(server)).port) })
  await event(socket, 'connect')
  return socket
}

async function ask(socket: Socket, path: string) {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: test\r\n\r\n`)
  return readAnswer(socket)
}

/** An answer whose body comes with its head. */
async function readAnswer(socket: Socket): Promise<{ status: number; head: string }> {
  let text = ''
  while (!text.includes('\r\n\r\n')) text += String((await event(socket, 'data'))[0])
  return { status: Number(text.split(' ')[1]), head: text.split('\r\n\r\n')[0] ?? '' }
}

async function halfSent(server: Started) {
  const socket = await openSocket(server)
  const body = JSON.stringify({ email: 'late@example.com', name: 'Late Comer' })
  const { product_id: product, api_token: token } = server.value
  socket.write(
    `POST /v1/products/${product}/users.json HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\n` +
      `authorization: Bearer ${token}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 9)}`,
  )
  return { socket, rest: body.slice(9) }
}

/** Whether the server takes no connection any more. */
const isRefused = (server: Started) =>
  openSocket(server).then(
    (socket) => (socket.destroy(), false),
    () => true,
  )

test('a second signal ends the server at once; the same one twice in a moment is one', async (t) => {
  const place = await openDemoPlace(t, 'stop-twice')
  const server = await place.start(['serve', '--demo'])
  const [answered, waiting] = [await halfSent(server), await halfSent(server)]
  waiting.socket.on('error', () => {})
  server.child.kill('SIGINT')
  server.child.kill('SIGTERM')
  while (!(await isRefused(server))) await sleep(10)
  answered.socket.write(answered.rest)
  assert.equal((await readAnswer(answered.socket)).status, 200)
  assert.equal(server.child.exitCode, null)
  // A busy machine hears the first one late, and takes what follows for the same.
  const again = setInterval(() => server.child.kill('SIGINT'), 300)
  t.after(() => clearInterval(again))
  assert.equal((await server.ended).code, 1)
})

test('without jobs a mail waits; a worker delivers it, and its links lead to where the server really is', async (t) => {
  const place = await openDemoPlace(t, 'worker')
  const server = await place.start(['serve', '--demo', '--no-jobs'])
  const created = await post(server, '/users.json', { email: 'new@example.com', name: 'New Comer' })
  assert.equal(created.status, 200)
  const { reader } = place.database
  const waiting = await reader.selectFrom('mails').select('state').executeTakeFirstOrThrow()
  // A worker gives each job its row before it looks for anything.
  const jobs = await reader.selectFrom('jobs').select('name').execute()
  assert.deepEqual([waiting.state, jobs], ['pending', []])
  const worker = await place.start(['worker'])
  const mails = join(place.folder, 'data', 'mail')
  let mail: string | undefined
  while (mail === undefined) {
    await sleep(50)
    const files = (await readdir(mails).catch(() => [])).filter((name) => name.endsWith('.eml'))
    const texts = await Promise.all(files.map((name) => readFile(join(mails, name), 'utf8')))
    mail = texts.find((text) => text.includes('To: new@example.com'))
  }
  assert.ok(mail.replaceAll('=\r\n', '').includes(`${addressOf(server)}/confirm-email/`), mail)
  assert.equal((await worker.stop()).code, 0)
  await server.stop()
})
