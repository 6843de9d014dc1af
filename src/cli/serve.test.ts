import assert from 'node:assert/strict'
import { once as event } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect as connectTo, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { addressOf, bearer, openPlace, usersOf, type Place, type Started } from '../../test/command-line.ts'
import { testEngine } from '../../test/database.ts'

test('two servers that start at once on an empty database both come up', async (t) => {
  const place = await openPlace(t, 'serve-twice')
  if (testEngine() === 'postgres') {
    await place.database.transaction(async (db) => {
      await sql`drop schema public cascade`.execute(db)
      await sql`create schema public`.execute(db)
    })
  }
  const servers = await Promise.all([place.start(['serve', '--demo']), place.start(['serve', '--demo'])])
  for (const server of servers) {
    const response = await fetch(`${addressOf(server)}/v1/ping.json`)
    assert.equal(response.status, 200)
  }
  const { users } = await place.database.reader
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow()
  assert.equal(users, 50)
  const ends = await Promise.all(servers.map((server) => server.stop()))
  assert.deepEqual(
    ends.map(({ code }) => code),
    [0, 0],
  )
})

test('a demo started again adds nothing and prints a token that works, in place of the one before', async (t) => {
  const place = await openPlace(t, 'serve-demo')
  const first = await place.start(['serve', '--demo'])
  const rows = await countRows(place)
  await first.stop()
  const second = await place.start(['serve', '--demo', '--no-jobs'])
  assert.deepEqual(await countRows(place), rows)
  const { api_token: old, address: _old, docs: _docs, ...rest } = first.value
  const { api_token: fresh, address: _fresh, docs: _docs2, ...again } = second.value
  assert.deepEqual(again, rest)
  const works = await fetch(usersOf(second), { headers: bearer(fresh) })
  assert.equal(works.status, 200)
  const ended = await fetch(usersOf(second), { headers: bearer(old) })
  assert.equal(ended.status, 401)
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

test('a stop under load fails no request: what is in work is answered, then each connection ends', async (t) => {
  const place = await openPlace(t, 'stop-load')
  const server = await place.start(['serve', '--demo'])
  const load = Array.from({ length: 8 }, () => untilRefused(server))
  const half = await halfSent(server)
  const kept = await openSocket(server)
  assert.equal((await ask(kept, '/readyz')).status, 200)
  await sleep(300)
  const stopped = server.stop()
  let ready = await ask(kept, '/readyz')
  while (ready.status === 200) ready = await ask(kept, '/readyz')
  assert.equal(ready.status, 503)
  assert.match(ready.head, /^connection: close$/im)
  half.socket.write(half.rest)
  assert.equal((await readAnswer(half.socket)).status, 200)
  const results = await Promise.all(load)
  assert.deepEqual(
    results.flatMap(({ failures }) => failures),
    [],
  )
  assert.ok(results.every(({ answered }) => answered > 0))
  assert.equal((await stopped).code, 0)
})

/** Asks again and again over one kept connection until no new connection is taken. */
async function untilRefused(server: Started): Promise<{ answered: number; failures: string[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const failures: string[] = []
  for (let answered = 0; ; answered++) {
    try {
      const status = await get(usersOf(server), agent, bearer(server.value['api_token']))
      if (status !== 200) failures.push(`status ${status}`)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      if (code !== 'ECONNREFUSED') failures.push(code)
      return { answered, failures }
    }
  }
}

async function get(url: string, agent: Agent, headers: Record<string, string>): Promise<number | undefined> {
  const sent = request(url, { agent, headers }).end()
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

test('a second signal ends the server at once; the same one twice in a moment is one', async (t) => {
  const place = await openPlace(t, 'stop-twice')
  const server = await place.start(['serve', '--demo'])
  const { socket } = await halfSent(server)
  socket.on('error', () => {})
  server.child.kill('SIGINT')
  server.child.kill('SIGTERM')
  await sleep(700)
  assert.equal(server.child.exitCode, null)
  assert.equal((await server.stop('SIGINT')).code, 1)
})

test('without jobs a mail waits; a worker delivers it, and its links lead to where the server really is', async (t) => {
  const place = await openPlace(t, 'worker')
  const server = await place.start(['serve', '--demo', '--no-jobs'])
  const created = await fetch(usersOf(server), {
    method: 'POST',
    headers: { ...bearer(server.value['api_token']), 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'new@example.com', name: 'New Comer' }),
  })
  assert.equal(created.status, 200)
  await sleep(200)
  const waiting = await place.database.reader.selectFrom('mails').select('state').executeTakeFirstOrThrow()
  assert.equal(waiting.state, 'pending')
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
