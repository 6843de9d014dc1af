// Runs on sqlite.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { issueApiToken } from '../src/accounts/tokens/api-tokens.ts'
import { operations } from '../src/app.ts'
import type { Verb } from '../src/cli/client/noun.ts'
import { flagOf } from '../src/cli/client/verb-options.ts'
import { nouns } from '../src/cli/client/nouns.ts'
import type { Command } from '../src/cli/command.ts'
import { commands } from '../src/cli/commands.ts'
import { nameOf } from '../src/cli/needs.ts'
import { examplesOf } from '../src/cli/examples.ts'
import { transaction } from '../src/context.ts'
import type { AnyOperation } from '../src/http/operation.ts'
import { pluginZip } from './archives.ts'
import { openClient, type Client } from './client.ts'
import { wordsOf } from './command-words.ts'
import { createTestFolder } from './folder.ts'
import { bodyOf, queryOf } from './security/examples.ts'
import { freshIds } from './security/fresh.ts'
import { allowed, fixtureOf, mainMounts, pathOf } from './security/requests.ts'
import { jsonBody } from './security/client.ts'
import { startWorld, type Ids, type World } from './security/world.ts'

let world: World
let client: Client
/** Archives of a product, and of an export. */
let files: Readonly<Record<string, string>>
/** What names the bundle, for what a bundle alone has. */
let bundle: readonly string[]
before(async () => {
  world = await startWorld('command_examples')
  const { seller, ctx, address } = world
  const { token, id } = await transaction(ctx, (tx) =>
    issueApiToken(tx, {
      developerId: seller.developer.id,
      productIds: null,
      rights: null,
      name: 'examples',
      expiresAt: null,
    }),
  )
  client = await openClient('command_examples', {
    url: address,
    token,
    tokenId: String(id),
    account: String(seller.developer.id),
    product: String(seller.product.id),
  })
  const folder = await createTestFolder('command_examples')
  const file = join(folder, 'archive.zip')
  await writeFile(file, await pluginZip({ version: '7.0' }))
  const { id: bundleId } = await client.ask([
    'api',
    'POST',
    '/products.json',
    '-f',
    'title=All',
    '-F',
    'is_bundle=true',
  ])
  bundle = ['--product', String(bundleId)]
  files = { './my-product.zip': file, './export.zip': file }
})
after(() => world.close())

interface Called {
  readonly name: string
  readonly command: Command
  readonly op: AnyOperation
}

const named = (id: string): AnyOperation => {
  const op = operations.find((one) => one.id === id)
  if (!op) throw new Error(`${id} is no operation.`)
  return op
}

/** Of two operations that of the product is called to read, as the profile has one. */
function operationOf(verb: Verb): AnyOperation {
  const of = typeof verb === 'object' && 'of' in verb ? verb.of : verb
  const [first, second = first] = typeof of === 'string' ? [of] : of
  return named(named(second).method === 'GET' ? second : first)
}

/** Every command of an operation; what removes comes last, and first of it what stands under something else. */
async function everyCommand(): Promise<Called[]> {
  const found: Called[] = []
  for (const [noun, { verbs = {}, itself }] of Object.entries(nouns)) {
    const { command } = (await commands[noun]?.()) ?? {}
    if (itself && command && 'run' in command) found.push({ name: noun, command, op: operationOf(itself) })
    for (const [word, verb] of Object.entries(verbs)) {
      const one = command && 'commands' in command ? command.commands[word] : undefined
      if (one) found.push({ name: `${noun} ${word}`, command: one, op: operationOf(verb) })
    }
  }
  const rank = ({ op: { method, path } }: Called) => (method === 'DELETE' ? 100 - path.split('/').length : 0)
  return found.toSorted((one, other) => rank(one) - rank(other))
}

/** What an example has in the place of an id, key, address or token, which must be one that is there. */
const STANDS_FOR = /^(\d{1,2}|\d(,\d)+|sk_key|\w{32}|ada@example\.com|salt|token|checkout-token)$/

/** Whose call needs what a call of another operation needs: who is to be erased, and a plan that nobody has. */
const MADE_FOR: Readonly<Record<string, string>> = {
  'keywright/erase-user': 'licenses/resend-keys',
  'plans/delete': 'plans/create-pricing',
}

/** The words of an example, with what this server has in the place of what they stand for. */
function fitted(line: string, { name, op }: Called, ids: Ids): string[] {
  const [, ...words] = wordsOf(line)
  const count = name.split(' ').length
  const inPath = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, one = '']) => ids[fixtureOf(op.path, one)])
  const sent: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(queryOf(op, ids)),
    ...bodyOf(op, ids),
  }
  const known = (flag: string) => {
    const argument = flag.slice(2).replaceAll('-', '_')
    const ownId = ids[fixtureOf(op.path, argument)] ?? ids[argument]
    const value = /(^|_)(ids?|uid|license_key|email|token|salt|members)$/.test(argument)
      ? (ownId ?? sent[argument])
      : undefined
    return value === undefined || value === '' ? undefined : String(value)
  }
  return words.map((word, n) => {
    if (files[word] !== undefined) return files[word]
    const before = words[n - 1] ?? ''
    if (!STANDS_FOR.test(word) || n < count) return word
    const value = before.startsWith('--') ? known(before) : inPath[n - count]
    return value ?? word
  })
}

test('every example of a command is done by a server that has what it names', async () => {
  const refused: string[] = []
  for (const called of await everyCommand()) {
    for (const line of examplesOf(called.name, called.command)) {
      const made = await freshIds(world, named(MADE_FOR[called.op.id] ?? called.op.id))
      const ids = { ...made, members: String(world.seller.other.id) }
      const words = fitted(line, called, ids)
      const { code, stderr } = await client.run([
        ...words,
        ...(called.op.id === 'keywright/update-bundle-members' ? bundle : []),
      ])
      if (code !== 0) refused.push(`${line} [${words.join(' ')}]: ${stderr.split('\n')[0]}`)
    }
  }
  assert.deepEqual(refused, [])
})

test('what a command needs beside required options is what the server refuses it without', async () => {
  const done: string[] = []
  for (const { name, command, op } of await everyCommand()) {
    // To move the end of a license is to update it, which may change nothing.
    if (!command.needs?.length || name === 'license extend') continue
    const needed = new Set(command.needs.flat())
    const isKept = ([argument]: readonly [string, unknown]) =>
      !needed.has(nameOf(`--${flagOf({ name: argument })}`))
    const ids = await freshIds(world, op)
    const mount = mainMounts().find((one) => one.op === op)
    assert.ok(mount)
    const query = queryOf(op, ids).filter(isKept)
    const body = op.body && jsonBody(Object.fromEntries(Object.entries(bodyOf(op, ids)).filter(isKept)))
    const path = `${pathOf(mount.path, ids)}?${new URLSearchParams(query)}`
    const { status, json } = await world.send(
      allowed(world, mount, { method: op.method, path, ...body }, ids),
    )
    if (status < 400 || !/missing/.test(json.error?.code))
      done.push(`${name}: ${status} ${JSON.stringify(json).slice(0, 200)}`)
  }
  assert.deepEqual(done, [])
})

/** What forgets the log-in, reads a token or is of a shell: help.test.ts looks whether these are taken. */
const ELSEWHERE = new Set(['login', 'logout', 'completion'])

test('every example of a command that calls a server is done by it', async () => {
  const {
    license_id: license = '',
    user_id: user = '',
    webhook_id: webhook = '',
  } = await freshIds(world, named('keywright/test-webhook'))
  const refused: string[] = []
  for (const [name, load] of Object.entries(commands)) {
    const { command } = await load()
    if (command.section !== 'client' || ELSEWHERE.has(name)) continue
    const all = 'commands' in command ? Object.values(command.commands) : [command]
    for (const line of all.flatMap(({ examples = [] }) => examples)) {
      const words = wordsOf(line)
        .slice(1)
        .map((word, n, others) => {
          if (others[n - 1] === '--listener') return webhook
          if (others[n - 1] === '--product') return String(world.seller.product.id)
          if (others[n - 1] === 'use') return 'test'
          if (word === 'user_id=3') return `user_id=${user}`
          return word
            .replace('/products/1/', `/products/${world.seller.product.id}/`)
            .replace('licenses/7.', `licenses/${license}.`)
        })
      const { code, stderr } = await client.run(words)
      if (code !== 0) refused.push(`${line} [${words.join(' ')}]: ${stderr}`)
    }
  }
  assert.deepEqual(refused, [])
})
