import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createTls } from 'node:https'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { TEST_CERTIFICATE } from '../../../test/smtp.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import { isRefused } from './guard.ts'
import { poster } from './post.ts'

const closing: (() => unknown)[] = []
after(() => Promise.all(closing.map((close) => close())))

async function listen(server: TcpServer & { closeAllConnections?(): void }) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections?.()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A receiver on this machine, and how often it was asked. */
async function receiver(handler: RequestListener) {
  let asked = 0
  const port = await listen(
    createServer((request, response) => {
      asked++
      request.resume()
      handler(request, response)
    }),
  )
  return { port, url: `http://127.0.0.1:${port}/`, asked: () => asked }
}

const strict = { mode: 'production', webhookAllow: [] } as const
const development = { mode: 'development', webhookAllow: [] } as const
const local = poster(development)
const to = (url: string) => ({ url, headers: {}, body: '{}' })
const ok: RequestListener = (_, response) => response.end('ok')

/** Hosts that mean this machine, a private network, a link or the metadata of a cloud, however they are written. */
const REFUSED =
  `127.0.0.1 127.1 127.255.0.3 0.0.0.0 0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254
  2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001 0300.0250.1.1 2852039166 0xa9fea9fe 100.64.0.1 192.0.0.8
  198.18.0.1 168.63.129.16 0xa83f8110 [::ffff:168.63.129.16] 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 127.0.0.1. 127。0。0。1 １２７.0.0.1 localhost localhost.
  LOCALHOST a.localhost [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1]
  [2002:7f00:1::] [fd00::1] [fc00::1] [fe80::1] [ff02::1] [2001:db8::1] [2001::1]`
    .trim()
    .split(/\s+/)

test('no spelling of an address that is not of the internet is called, nor taken for a listener', async () => {
  const seen = await receiver(ok)
  const post = poster(strict)
  for (const host of REFUSED) {
    const url = `http://${host}:${seen.port}/`
    assert.ok(isRefused(url, strict), host)
    const { status, error } = await post.post(to(url))
    assert.deepEqual(
      [status, /no address of the internet|ENOTFOUND/.test(error ?? '')],
      [null, true],
      `${host}: ${error}`,
    )
  }
  assert.equal(seen.asked(), 0)
})

test('addresses of the internet are taken', () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '168.63.129.17',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ]) {
    assert.ok(isPublicAddress(address), address)
  }
  assert.ok(!isRefused('https://example.com/hook', strict))
  assert.ok(!isRefused('https://8.8.8.8/hook', strict))
})

test('a name is resolved once for a connection, which goes to what was checked: it may not change in between', async () => {
  const seen = await receiver(ok)
  const answers = ['8.8.8.8', '127.0.0.1']
  let asked = 0
  const resolve = async () => [{ address: answers[asked++] ?? '127.0.0.1', family: 4 }]
  // The check of whoever looks before it connects sees the first answer.
  assert.ok(isPublicAddress((await resolve())[0]?.address ?? ''))
  const { status, error } = await poster(strict, { resolve }).post(to(`http://rebind.example:${seen.port}/`))
  assert.match(error ?? '', /no address of the internet/)
  assert.deepEqual([status, asked, seen.asked()], [null, 2, 0])
})

test('a connection goes to the address that was checked, though the name has another one by then', async () => {
  const inside = await receiver(ok)
  const answers = ['127.0.0.2', '127.0.0.1']
  let asked = 0
  const resolve = async () => [{ address: answers[asked++] ?? '127.0.0.1', family: 4 }]
  // 127.0.0.2 stands for an address of the internet: the only one of this machine that may be called.
  const post = poster({ mode: 'production', webhookAllow: ['127.0.0.2'] }, { resolve })
  const url = `http://rebind.example:${inside.port}/`
  assert.match((await post.post(to(url))).error ?? '', /127\.0\.0\.2/)
  assert.match((await post.post(to(url))).error ?? '', /no address of the internet/)
  assert.deepEqual([asked, inside.asked()], [2, 0])
})

test('of the addresses of a name those alone are called that may be', async () => {
  const seen = await receiver(ok)
  const resolve = async () => [
    { address: '10.0.0.1', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  const listed = poster({ mode: 'production', webhookAllow: ['127.0.0.1'] }, { resolve })
  assert.equal((await listed.post(to(`http://name.example:${seen.port}/`))).status, 200)
  assert.match(
    (await poster(strict, { resolve }).post(to(`http://name.example:${seen.port}/`))).error ?? '',
    /no address/,
  )
})

test('networks of KEYWRIGHT_WEBHOOK_ALLOW are called, and in development this machine alone', async () => {
  const seen = await receiver(ok)
  const allowing = { mode: 'production', webhookAllow: ['127.0.0.0/8'] } as const
  assert.equal((await poster(allowing).post(to(seen.url))).status, 200)
  assert.deepEqual(
    [isRefused(seen.url, development), isRefused('http://10.0.0.1/', development)],
    [false, true],
  )
})

test('a redirect is an answer like any other, and is not followed', async () => {
  const target = await receiver(ok)
  const seen = await receiver((_, response) => response.writeHead(302, { location: target.url }).end())
  assert.equal((await local.post(to(seen.url))).status, 302)
  assert.equal(target.asked(), 0)
})

test('an answer that does not come, or comes byte by byte, is cut when its time is over', async () => {
  const impatient = poster(development, { totalMs: 200 })
  const silent = await receiver(() => {})
  const dripping = await receiver((_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const at = performance.now()
  const [none, some] = await Promise.all([silent, dripping].map(({ url }) => impatient.post(to(url))))
  assert.ok(performance.now() - at < 2_000)
  assert.deepEqual([none?.status, some?.status], [null, 200])
  for (const posted of [none, some]) assert.match(posted?.error ?? '', /longer than 0\.2 seconds/)
})

test('an answer without end is cut at 64 KiB, and its first 4 KiB are kept', async () => {
  const cut = Promise.withResolvers<void>()
  const seen = await receiver((_, response) => {
    response.on('close', cut.resolve)
    const more = () =>
      void (response.destroyed || response.write('x'.repeat(8_192), () => setImmediate(more)))
    more()
  })
  const { status, answer, error } = await local.post(to(seen.url))
  assert.deepEqual([status, answer?.length], [200, 4_096])
  assert.match(error ?? '', /64 KiB/)
  await cut.promise
})

test('a compressed answer is kept as it came: nothing is unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
  const seen = await receiver((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb.subarray(0, 20_000)),
  )
  const before = process.memoryUsage().arrayBuffers
  const { answer } = await local.post(to(seen.url))
  assert.equal(answer, bomb.subarray(0, 4_096).toString().replaceAll('\0', ''))
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 * 1024 * 1024)
})

test('a megabyte of headers, garbage, a reset and a bad certificate are failures', async () => {
  const tcp = (onSocket: (socket: Socket) => void) =>
    listen(createTcp((socket) => onSocket(socket.on('error', () => {}))))
  const headers = await tcp((socket) =>
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`)),
  )
  const garbage = await tcp((socket) => socket.once('data', () => socket.end('not http\r\n\r\n')))
  const reset = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()))
  for (const port of [headers, garbage, reset]) {
    const { status, error } = await local.post(to(`http://127.0.0.1:${port}/`))
    assert.equal(status, null)
    assert.ok(error)
  }
  const secure = await listen(createTls(TEST_CERTIFICATE, ok))
  const { status, error } = await local.post(to(`https://127.0.0.1:${secure}/`))
  assert.equal(status, null)
  assert.match(error ?? '', /certificate|self.signed/i)
})

test('posts that hang hold up no other at the same origin, however many there are', async () => {
  const seen = await receiver((request, response) => request.url === '/' && response.end('ok'))
  const post = poster(development, { totalMs: 3_000 })
  const cutting = new AbortController()
  const hanging = Array.from({ length: 40 }, () => post.post(to(`${seen.url}hangs`), cutting.signal))
  const { status } = await post.post(to(seen.url))
  cutting.abort()
  await Promise.allSettled(hanging)
  assert.equal(status, 200)
})

test('a connection is used again while it is young, and closed after that', async () => {
  const sockets: Socket[] = []
  const seen = await receiver((request, response) => {
    sockets.push(request.socket)
    response.end('ok')
  })
  const young = poster(development)
  while (new Set(sockets).size === sockets.length) await young.post(to(seen.url))
  const old = poster(development, { oldestMs: 10 })
  await old.post(to(seen.url))
  const [first, last] = [sockets[0], sockets.at(-1)]
  if (last && !last.closed) await once(last, 'close')
  assert.equal(first?.closed, false, 'what may be older, and is')
})

test('a process that stood still reads what was answered meanwhile, which is no failure of the listener', async () => {
  const { url } = await receiver((_, response) => {
    const until = performance.now() + 900
    while (performance.now() < until);
    response.end('ok')
  })
  const { status, error } = await poster(development, { totalMs: 300 }).post(to(url))
  assert.deepEqual([status, error], [200, null])
})
