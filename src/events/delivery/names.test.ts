import assert from 'node:assert/strict'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestFolder } from '../../../test/folder.ts'
import { nameResolver, type Resolve } from './names.ts'
import { poster } from './post.ts'

/** A name server on loopback: `*.live.example` is this machine, `*.dead.example` gets no answer, others do not exist. */
const server = createSocket('udp4')
const asked: string[] = []
let servers: string[]
let folder: string
before(async () => {
  folder = await createTestFolder('names')
  server.on('message', answer)
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  servers = [`127.0.0.1:${server.address().port}`]
})
after(async () => {
  server.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => void (asked.length = 0))

function answer(query: Buffer, { port, address }: RemoteInfo): void {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const name = labels.join('.').toLowerCase()
  asked.push(name)
  if (name.endsWith('dead.example')) return
  const isLive = name.endsWith('live.example')
  const isFound = isLive && query.readUInt16BE(at + 1) === 1
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(isLive ? 0x8180 : 0x8183, 2)
  for (const [offset, count] of [1, isFound ? 1 : 0, 0, 0].entries())
    head.writeUInt16BE(count, 4 + 2 * offset)
  const record = Buffer.from('c00c00010001000000000004' + '7f000001', 'hex')
  const reply = Buffer.concat([head, query.subarray(12, at + 5), isFound ? record : Buffer.alloc(0)])
  server.send(reply, port, address)
}

const HERE = [{ address: '127.0.0.1', family: 4 }]
const unasked: Resolve = () => assert.fail('the system was asked')

test('a name whose servers are silent is asked for once by all, delays no other, and fails in its time', async () => {
  const resolve = nameResolver({ servers, timeoutMs: 100, lookup: unasked })
  const dead = Array.from({ length: 50 }, () => resolve('hooks.dead.example'))
  const ended = Promise.allSettled(dead)
  const first = await Promise.race([ended, resolve('hooks.live.example')])
  assert.deepEqual(first, HERE)
  for (const one of await ended) assert.match(String(one.status === 'rejected' && one.reason), /ETIMEOUT/)
  assert.ok(asked.filter((name) => name === 'hooks.dead.example').length <= 4, asked.join())
})

test('a failure is the answer for a while; an address is asked for each time', async () => {
  const lookup = () => Promise.reject(new Error('no such name'))
  let now = 0
  const resolve = nameResolver({ servers, lookup, now: () => now })
  const fails = () => assert.rejects(resolve('gone.example'), /no such name/)
  await fails()
  const once = asked.length
  await fails()
  assert.equal(asked.length, once)
  now += 5_000 - 1
  await fails()
  assert.equal(asked.length, once)
  now += 1
  await fails()
  assert.equal(asked.length, 2 * once)
  asked.length = 0
  await resolve('live.example')
  await resolve('live.example')
  assert.deepEqual(
    asked,
    Array.from({ length: 4 }, () => 'live.example'),
  )
})

test('the system is asked for names of its own, at first, and for those that the servers do not know', async () => {
  const hostsFile = join(folder, 'hosts')
  await writeFile(
    hostsFile,
    '# hosts\n127.0.0.1\tlocalhost\n10.0.0.5  first.live.example Second.live.example # ours\n',
  )
  const bySystem: string[] = []
  const lookup: Resolve = async (host) => (bySystem.push(host), [{ address: '10.0.0.5', family: 4 }])
  const resolve = nameResolver({ servers, hostsFile, lookup })
  const own = ['localhost', 'a.localhost', 'db', 'first.live.example', 'second.live.example']
  for (const host of own) assert.equal((await resolve(host))[0]?.address, '10.0.0.5')
  assert.deepEqual([bySystem, asked], [own, []])
  assert.deepEqual(await resolve('third.live.example'), HERE)
  assert.equal((await resolve('only.in.search.domain'))[0]?.address, '10.0.0.5')
  assert.equal(bySystem.length, own.length + 1)
})

test('the system is asked for two names at once, so that the process keeps threads for its files', async () => {
  let running = 0
  let most = 0
  const lookup: Resolve = async (host) => {
    running++
    most = Math.max(most, running)
    await sleep(5)
    running--
    if (host === 'n3') throw new Error('no such name')
    return HERE
  }
  const resolve = nameResolver({ servers, lookup })
  const ended = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((n) => resolve(`n${n}`)))
  assert.deepEqual([most, ended.filter(({ status }) => status === 'fulfilled').length], [2, 5])
})

test('a post goes to where the name servers say, if that may be called', async () => {
  const receiver = createServer((request, response) => request.resume() && response.end('ok'))
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://hooks.live.example:${(receiver.address() as AddressInfo).port}/`
  const post = (mode: 'development' | 'production') =>
    poster({ mode, webhookAllow: [] }, { resolve: nameResolver({ servers, lookup: unasked }) }).post({
      url,
      headers: {},
      body: '{}',
    })
  assert.equal((await post('development')).status, 200)
  assert.match((await post('production')).error ?? '', /no address of the internet/)
  receiver.close()
  receiver.closeAllConnections()
})
