import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once as event } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { sql, type Kysely } from 'kysely'
import { Cli } from '../src/cli/cli.ts'
import { commands } from '../src/cli/commands.ts'
import { run } from '../src/cli/program.ts'
import type { Terminal } from '../src/cli/waiting.ts'
import { connect } from '../src/db/connect.ts'
import type { Database } from '../src/db/database.ts'
import { createDemoDatabase, createTestDatabase, testEngine } from './database.ts'
import { createTestFolder } from './folder.ts'
import { TEST_SECRET } from './secret.ts'

const program = resolve(import.meta.dirname, '../bin/keywright.js')

/** Commands that read standard input, or stay. */
const OWN_PROCESS = new Set(['bootstrap', 'password', 'serve', 'worker', 'listen', 'login'])

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** Standard input, whole. */
  readonly input?: string
  readonly env?: Record<string, string>
  /** Where is said how far a command is, at once; for commands that run in this process. */
  readonly terminal?: Terminal
}

export interface StartOptions {
  readonly env?: Record<string, string>
  readonly spoken?: boolean
}

export interface Started {
  /** The object that it printed when it was up; empty when it speaks to people. */
  readonly value: Readonly<Record<string, string>>
  /** What it said to people when it was up. */
  readonly said: string
  readonly child: ChildProcessWithoutNullStreams
  /** Its end, with all it said; rejects nothing. */
  readonly ended: Promise<Ended>
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Where a started server listens, where its demo's users are, and the header that opens them. */
export const addressOf = ({ value }: Started) => value['address'] ?? ''
export const usersOf = ({ value }: Started) =>
  `${value['address']}/v1/products/${value['product_id']}/users.json`
export const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` })

/** A data folder and a database that nobody else uses, and the real command line on them. */
export class Place {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly #connect: () => Database
  readonly #children = new Set<ChildProcessWithoutNullStreams>()
  #database: Database | null = null

  constructor(folder: string, env: Record<string, string>, connectIt: () => Database) {
    this.folder = folder
    this.env = env
    this.#connect = connectIt
  }

  /** Runs one command to its end, in this process: starting another one takes as long as most commands. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    if (options.input !== undefined || OWN_PROCESS.has(args[0] ?? '')) return this.runApart(args, options)
    const stdout: string[] = []
    const stderr: string[] = []
    const output = {
      log: (text: string) => void stdout.push(`${text}\n`),
      error: (text: string) => void stderr.push(`${text}\n`),
      terminal: options.terminal,
      patienceMs: 0,
    }
    const code = await run(commands, args, new Cli(args, { ...this.env, ...options.env }, output))
    return { code, stdout: stdout.join(''), stderr: stderr.join('') }
  }

  /** Runs a command in a process of its own, as a shell does. */
  runApart(args: readonly string[], options?: RunOptions): Promise<Ended> {
    return this.launch(args, options).ended
  }

  /** Begins one command, to be killed before its end. */
  launch(args: readonly string[], { input = '', env = {} }: RunOptions = {}) {
    const child = this.#spawn(args, env)
    child.stdin.on('error', () => {}).end(input)
    return { child, ended: endOf(child) }
  }

  /** Runs one command that must do what it is asked; returns the object it prints. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads results of every shape
  async ask(args: readonly string[], options?: RunOptions): Promise<any> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], options)
    if (code !== 0) throw new Error(`keywright ${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout) as unknown
  }

  /** Starts `serve` or `worker`, and waits until it says that it is up: to a program, or spoken. */
  async start(args: readonly string[], { env = {}, spoken = false }: StartOptions = {}): Promise<Started> {
    const child = this.#spawn(spoken ? args : [...args, '--json'], env)
    const ended = endOf(child)
    const said = await Promise.race([firstWords(spoken ? child.stderr : child.stdout), ended])
    if (typeof said !== 'string') throw new Error(`keywright ${args.join(' ')} ended: ${said.stderr}`)
    const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal)
      return ended
    }
    const value = spoken ? {} : (JSON.parse(said) as Started['value'])
    return { value, said: spoken ? said : '', child, ended, stop }
  }

  /** The database of the commands, seen from here; only after a command has made it. */
  get database(): Database {
    return (this.#database ??= this.#connect())
  }

  /** Ends what still runs, and closes what was opened. */
  async leave(): Promise<void> {
    for (const child of this.#children) {
      child.kill('SIGKILL')
      await event(child, 'exit')
    }
    await this.#database?.close()
  }

  #spawn(args: readonly string[], env: Record<string, string>): ChildProcessWithoutNullStreams {
    const child = spawn(process.execPath, [program, ...args], { env: { ...this.env, ...env } })
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    return child
  }
}

/**
 * A place for one test, on the engine under test; gone after it. It begins with nothing, or with the demo whose data
 * folder is `demo`.
 */
export async function openPlace(t: Pick<TestContext, 'after'>, name: string, demo?: string): Promise<Place> {
  const folder = await createTestFolder(name)
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    KEYWRIGHT_DATA: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  }
  if (demo !== undefined) await cp(demo, env.KEYWRIGHT_DATA, { recursive: true })
  if (testEngine() === 'sqlite') {
    const file = join(env.KEYWRIGHT_DATA, 'keywright.db')
    const place = new Place(folder, env, () => connect({ engine: 'sqlite', file }))
    t.after(async () => {
      await place.leave()
      await rm(folder, { recursive: true })
    })
    return place
  }
  const made = await (demo === undefined ? createTestDatabase(name) : createDemoDatabase(name))
  // Who copies it finds no connection open but those of commands.
  await made.database.close()
  const { options, remove } = made
  const secrets = { DATABASE_URL: 'url' in options ? options.url : '', KEYWRIGHT_SECRET: TEST_SECRET }
  const place = new Place(folder, { ...env, ...secrets }, () => connect(options))
  t.after(async () => {
    await place.leave()
    await remove()
    await rm(folder, { recursive: true })
  })
  return place
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const [code] = (await event(child, 'close')) as [number | null]
  return { code, stdout: stdout(), stderr: stderr() }
}

function collect(stream: Readable): () => string {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

/** What is written first, which ends with a line's end. */
async function firstWords(stream: Readable): Promise<string> {
  const said = collect(stream)
  while (!said().endsWith('\n')) await event(stream, 'data')
  return said()
}

/** How a sealed text begins. */
export const SEALED = /^v1\.[0-9a-f]{8}\./

/** The secrets that stored texts are sealed with, by their kid. */
export async function kidsIn({ database }: Place): Promise<string[]> {
  const sealed = (await storedTexts(database)).filter(({ value }) => SEALED.test(value))
  return [...new Set(sealed.map(({ value }) => value.split('.')[1] ?? ''))]
}

export interface StoredText {
  readonly table: string
  readonly column: string
  readonly value: string
}

/** Every text in every column of every table. */
export async function storedTexts({ reader }: Database): Promise<StoredText[]> {
  const db = reader as unknown as Kysely<Record<string, Record<string, unknown>>>
  const tables = await db.introspection.getTables()
  const texts: StoredText[] = []
  for (const { name: table } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
    for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
      if (typeof value === 'string') texts.push({ table, column, value })
    }
  }
  return texts
}
