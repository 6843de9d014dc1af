import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import type { TestContext as Test } from 'node:test'
import { issueApiToken } from '../src/accounts/tokens/api-tokens.ts'
import { Cli } from '../src/cli/cli.ts'
import { writeProfiles, type Profile } from '../src/cli/client/profiles.ts'
import { commands } from '../src/cli/commands.ts'
import { run } from '../src/cli/program.ts'
import type { Terminal } from '../src/cli/waiting.ts'
import { transaction } from '../src/context.ts'
import type { TestApp } from './app.ts'
import type { Ended } from './command-line.ts'
import { createTestFolder } from './folder.ts'

export interface ClientOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly terminal?: Terminal
  readonly stdout?: Terminal
}

/** The command line on profiles of its own. */
export interface Client {
  readonly env: Readonly<Record<string, string>>
  run(args: readonly string[], options?: ClientOptions): Promise<Ended>
  /** As `run`, for what must be done; the JSON that it prints. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads results of every shape
  ask(args: readonly string[], options?: ClientOptions): Promise<any>
}

/** A command line with nobody logged in, or with one profile, which is the current one. */
export async function openClient(
  name: string,
  profile?: Partial<Profile> & Pick<Profile, 'url'>,
): Promise<Client> {
  const env = { XDG_CONFIG_HOME: await createTestFolder(name) }
  if (profile) {
    const whole = { token: 'none', tokenId: '1', account: '1', opens: null, product: null, ...profile }
    await writeProfiles(env, { current: 'test', profiles: { test: whole } })
  }
  const runIt = async (args: readonly string[], options: ClientOptions = {}): Promise<Ended> => {
    const stdout: string[] = []
    const stderr: string[] = []
    const output = {
      log: (text: string) => void stdout.push(`${text}\n`),
      error: (text: string) => void stderr.push(`${text}\n`),
      terminal: options.terminal ?? new PassThrough(),
      stdout: options.stdout ?? new PassThrough(),
    }
    const code = await run(commands, args, new Cli(args, { ...env, ...options.env }, output))
    return { code, stdout: stdout.join(''), stderr: stderr.join('') }
  }
  return {
    env,
    run: runIt,
    async ask(args, options) {
      const { code, stdout, stderr } = await runIt([...args, '--json'], options)
      if (code !== 0) throw new Error(`keywright ${args.join(' ')} ended with ${code}: ${stderr}`)
      return JSON.parse(stdout) as unknown
    },
  }
}

/** A token of the account that has made the test's products. */
export const accountToken = ({ ctx, seller }: TestApp, rights: 'licenses.write' | null = null) =>
  transaction(ctx, (tx) =>
    issueApiToken(tx, {
      developerId: seller.developer.id,
      productIds: null,
      rights: rights === null ? null : [rights],
      name: 'command line',
      expiresAt: null,
    }),
  )

/** The command line, logged in to the account of a test with its first product. */
export async function openAccount(app: TestApp, name: string, product = true): Promise<Client> {
  const { token, id } = await accountToken(app)
  return openClient(name, {
    url: app.address,
    token,
    tokenId: String(id),
    account: String(app.seller.developer.id),
    product: product ? String(app.seller.product.id) : null,
  })
}

/** Something at an address that answers each request as it is told, closed after the test. */
export async function openAnswering(
  t: Pick<Test, 'after'>,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A terminal, and what was written to it. */
export function terminalOf(columns = 120): Terminal & { seen(): string } {
  const stream = new PassThrough()
  let seen = ''
  stream.on('data', (chunk: Buffer) => (seen += chunk.toString()))
  return Object.assign(stream, { isTTY: true, columns, seen: () => seen })
}
