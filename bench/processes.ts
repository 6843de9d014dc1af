import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import anew from '../bin/process.json' with { type: 'json' }
import type { Environment } from './seed.ts'

/** Another process of a benchmark. It ends with this one. */
export interface Peer {
  readonly pid: number
  /** Sends a question and waits for its answer; one at a time. */
  ask<Answer>(question: unknown): Promise<Answer>
  stop(): Promise<void>
}

export interface Server {
  readonly pid: number
  readonly address: string
  /** When it ends, whoever ends it. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/** Starts `file` of this folder with its options; what it prints on stderr is shown. */
export async function startPeer(file: string, options: unknown): Promise<Peer> {
  const child = fork(new URL(file, import.meta.url), [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = endOf(child)
  const answer = async () => {
    const message: unknown = await Promise.race([once(child, 'message'), ended])
    if (!Array.isArray(message)) throw new Error(`${file} ended too early.`)
    return message[0] as never
  }
  await answer()
  return {
    pid: child.pid ?? 0,
    ask(question) {
      child.send(question as object)
      return answer()
    },
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** In the other process: what it was started with. */
export const peerOptions = <Options>(): Options => JSON.parse(process.argv[2] ?? '{}') as Options

/** In the other process: says that it is ready, answers questions, and ends with the one who asks. */
export function servePeer<Question>(answer: (question: Question) => Promise<unknown>): void {
  process.on('message', (question: Question) => {
    void answer(question).then((value) => process.send?.(value as object))
  })
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Starts the server as `npm start` does, jobs and log included. */
export const startKeywright = (environment: Environment, ...options: string[]): Promise<Server> =>
  startServer([pathOf('../bin/keywright.js'), 'serve', '--json', ...options], environment)

/** Starts a process that only runs the jobs; it has no address. */
export const startWorker = (environment: Environment): Promise<Pick<Server, 'pid' | 'stop'>> =>
  startServer([pathOf('../bin/keywright.js'), 'worker', '--json'], environment)

/** Starts a reference of this folder, with what Keywright gives itself. */
export const startBare = (environment: Environment, file = 'bare.ts'): Promise<Server> =>
  startServer([...anew.flags, pathOf(file)], { ...environment, ...anew.variables })

/** Both print a line of JSON with their address when they listen; a log goes to a file of the data folder. */
async function startServer(command: readonly string[], environment: Environment): Promise<Server> {
  const logFile = join(environment['KEYWRIGHT_DATA'] ?? '', 'server.log')
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, command, {
    env: { ...environment, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', log],
  })
  closeSync(log)
  const ended = endOf(child)
  const lines = createInterface(child.stdout ?? process.stdin)
  const line: unknown = await Promise.race([once(lines, 'line'), ended])
  if (!Array.isArray(line))
    throw new Error(`${command.join(' ')} did not start.\n${readFileSync(logFile, 'utf8')}`)
  const { address } = JSON.parse(line[0] as string) as { address: string }
  return {
    pid: child.pid ?? 0,
    address,
    ended,
    async stop() {
      child.kill()
      await ended
    },
  }
}

function endOf(child: ChildProcess): Promise<void> {
  const kill = () => child.kill()
  process.once('exit', kill)
  return once(child, 'exit').then(() => void process.off('exit', kill))
}
