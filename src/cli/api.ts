import { InvalidArgumentError } from 'commander'
import type { Cli } from './cli.ts'
import { send, type Call, type Reply, type Server } from './client/call.ts'
import { connect, PROFILE_OPTION } from './client/connection.ts'
import { fieldsOf, inputOf, queryOf, withQuery } from './client/given-fields.ts'
import { fullPath, listAt } from './client/places.ts'
import { GET_OPTION, partText, printAll, printBytes, printDocument } from './client/printing.ts'
import { listIn, pagesOf } from './client/paging.ts'
import { isRefused, refusalOf } from './client/refusal.ts'
import { plainCommand, type Given } from './command.ts'
import { Failure } from './failure.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'] as const

const args = {
  '<method>': { describe: `${METHODS.join(', ')}`, parse: methodArgument },
  '<path>': {
    describe: 'such as /products/1/licenses.json; the account is filled in, or all of it from /v1 on',
  },
} as const

const options = {
  '--field <key=value>': { short: 'f', describe: 'argument that is text; repeatable', many: true },
  '--typed <key=value>': {
    short: 'F',
    describe: 'argument that is true, false, null, a number, or @file for what a file has; repeatable',
    many: true,
  },
  '--input <file>': { describe: 'body of the request, from a file, or - for standard input' },
  '--header <name:value>': { short: 'H', describe: 'header of the request; repeatable', many: true },
  '--include': {
    short: 'i',
    describe: 'print status and headers of the answer too',
    conflicts: ['all', 'get', 'json', 'jsonl'],
  },
  '--all': { describe: 'every page of a list, as one document' },
  '--jsonl': { describe: 'one item of a list a line' },
  '--output <file>': {
    describe: 'where the answer is written to, unless to standard output',
    conflicts: ['all', 'get', 'jsonl'],
  },
  ...GET_OPTION,
  ...PROFILE_OPTION,
} as const

type Asked = Given<typeof args, typeof options>

export const command = plainCommand({
  describe: 'call an operation of the interface, and print its answer',
  docs: 'docs/command-line.md',
  section: 'client',
  arguments: args,
  options,
  json: 'print the answer in one line',
  examples: [
    'keywright api GET /products/1/licenses.json -f user_id=3',
    'keywright api GET /products/1/users.json --all --jsonl',
    'keywright api PUT /products/1/licenses/7.json -F quota=5',
    'keywright api GET /v1/token.json',
  ],
  handler: async (given, cli) => {
    const { server, ...opened } = await connect(cli, given.profile)
    const call = await callOf(cli, given, fullPath(given.path, opened))
    if (given.all) return printPages(cli, given, { server, call })
    const reply = await send(cli, server, call)
    if (given.include) cli.line(headOf(reply))
    if (given.method !== 'HEAD') print(cli, given, { reply, path: call.path })
    if (isRefused(reply)) throw refusalOf(reply)
  },
})

async function callOf(cli: Cli, given: Asked, path: string): Promise<Call> {
  const fields = await fieldsOf(cli, given.field, given.typed)
  const isRead = given.method === 'GET' || given.method === 'HEAD'
  const inQuery = isRead || given.input !== undefined
  const hasBody = given.input !== undefined || (!isRead && Object.keys(fields).length > 0)
  const body = given.input === undefined ? fields : await inputOf(cli, given.input)
  return {
    method: given.method,
    path: inQuery ? withQuery(path, queryOf(fields)) : path,
    headers: headersOf(given.header),
    ...(hasBody && { body }),
  }
}

const headersOf = (texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(':')
      if (at < 1) throw new Failure('usage', `'${text}' must be name:value.`, 2)
      const [name, value] = [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()]
      if (!isHeader(name, value)) throw new Failure('usage', `The header ${name} cannot be sent as it is.`, 2)
      return [name, value]
    }),
  )

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name)
  } catch {
    return false
  }
}

async function printPages(cli: Cli, given: Asked, { server, call }: { server: Server; call: Call }) {
  if (given.method !== 'GET') throw new Failure('usage', '--all is for GET.', 2)
  const paged = { call, ...listAt(call.path) }
  if (given.jsonl) return printAll(cli, server, { ...paged, isJsonl: true })
  return printDocument(cli, pagesOf(cli, server, paged))
}

/** As `curl -i` shows it. */
const headOf = ({ status, statusText, headers }: Reply): string =>
  [`HTTP/1.1 ${status} ${statusText}`, ...[...headers].map(([name, value]) => `${name}: ${value}`), ''].join(
    '\n',
  )

/** What was refused is printed as it came as well, so that a program finds it where it finds answers. */
function print(cli: Cli, given: Asked, { reply, path }: { readonly reply: Reply; readonly path: string }) {
  const { json, bytes } = reply
  if (isRefused(reply)) return json === undefined ? undefined : printJson(cli, json)
  if (given.output !== undefined || json === undefined)
    return bytes.length > 0 ? printBytes(cli, bytes, given.output) : undefined
  if (given.get !== undefined) return cli.line(partText(cli, json, given.get))
  const list = given.jsonl ? listIn(json, listAt(path).key) : null
  if (!list) return printJson(cli, json)
  for (const item of list.items) cli.line(JSON.stringify(item))
}

const printJson = (cli: Cli, json: unknown): void => cli.line(JSON.stringify(json, null, cli.json ? 0 : 2))

function methodArgument(text: string): (typeof METHODS)[number] {
  const found = METHODS.find((method) => method === text.toUpperCase())
  if (found !== undefined) return found
  throw new InvalidArgumentError(`It must be one of ${METHODS.join(', ')}.`)
}
