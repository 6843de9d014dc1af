import type { Cli } from '../cli.ts'
import type { Command, Setting } from '../command.ts'
import { Failure } from '../failure.ts'
import { ask, type Call } from './call.ts'
import { connect, PROFILE_OPTION, type Connection } from './connection.ts'
import { inputOf, queryOf, withQuery } from './given-fields.ts'
import type { Entry, Operation } from './operation-table.ts'
import { GET_OPTION, printAll, printReply } from './printing.ts'
import { pathId } from './path-ids.ts'
import { addressOf } from './places.ts'
import { formOf } from './upload.ts'
import { usageOf } from './usages.ts'
import { NULL, argumentsOf, isPlaced, flagOf, keyOf, optionsOf } from './verb-options.ts'

type Given = Readonly<Record<string, unknown>>

/** All products, where the profile names one. */
const ALL_PRODUCTS = 'all'

/** The command of an entry of the table. */
export function verbCommand(entry: Entry): Command {
  const [first] = entry.operations
  if (!first) throw new Error('An entry has an operation.')
  const placed = argumentsOf(entry).filter(isPlaced)
  const names = [
    ...Object.entries(first.params),
    ...placed.map(({ name, describe = '' }) => [name, describe] as const),
  ]
  const name = entry.verb === null ? entry.noun : `${entry.noun} ${entry.verb}`
  const { needs = [], examples } = usageOf(name)
  return {
    describe: describeOf(first.summary),
    arguments: Object.fromEntries(names.map(([name, describe]) => [`<${wordOf(name)}>`, { describe }])),
    options: { ...optionsOf(entry), ...ownOptions(entry) },
    json:
      first.items === undefined
        ? 'print the answer as JSON'
        : 'print the answer as JSON, a page of it without --all',
    ...(argumentsOf(entry).some(({ type }) => type === 'boolean') && {
      more: 'A switch is turned off by --no- before its name.',
    }),
    needs: needs.map((names) => names.map((one) => keyOf(flagOf({ name: one })))),
    ...(takesInput(entry) && { filledBy: 'input' }),
    ...(/^(update|set)\b/.test(entry.verb ?? '') && { isChange: true }),
    ...(examples && { examples: examples.map((rest) => `keywright ${name} ${rest}` as const) }),
    run: (cli, given) => call(cli, entry, given as Given),
  }
}

/** `license_id` → `license-id`. */
const wordOf = (name: string) => name.replaceAll('_', '-')

/** As the lines of other commands: `list the licenses of a product`. */
const describeOf = (summary: string) => summary.charAt(0).toLowerCase() + summary.slice(1)

const takesInput = ({ operations }: Pick<Entry, 'operations'>): boolean =>
  operations.some(({ args }) => args.some((arg) => arg.in === 'body'))

function ownOptions({ operations }: Entry): Record<`--${string}`, Setting> {
  const some = (is: (operation: Operation) => boolean) => operations.some(is)
  const isOfBoth = operations.length > 1
  return {
    ...(some(({ scope }) => scope === 'product') && {
      '--product <id>': {
        describe: isOfBoth
          ? 'of this product; all: of the whole account'
          : 'product that it is about, unless it is that of the profile',
      },
    }),
    ...(some(({ pagedBy }) => pagedBy !== undefined) && {
      '--all': { describe: 'every page' },
      '--jsonl': { describe: 'print one JSON object a line' },
    }),
    ...(takesInput({ operations }) && {
      '--input <file>': { describe: 'arguments as a JSON object, from a file, or - for standard input' },
    }),
    ...(some(({ produces }) => produces !== undefined) && {
      '--output <file>': { describe: 'where the file is written to, unless to standard output' },
    }),
    ...GET_OPTION,
    ...PROFILE_OPTION,
  }
}

async function call(cli: Cli, entry: Entry, given: Given): Promise<void> {
  const product = textOf(given['product'])
  const connection = await connect(cli, textOf(given['profile']))
  const operation = chosen(entry, connection, product)
  const ids = Object.keys(operation.params).map((name) => pathId(name, given[wordOf(name)]))
  const place = { ...connection, ...(product !== undefined && { product }) }
  const server = operation.scope === 'root' ? { ...connection.server, token: null } : connection.server
  const asked = await callOf(cli, entry, { operation, given, path: addressOf(operation, ids, place) })
  if (given['all'] === true && operation.pagedBy !== undefined)
    return printAll(cli, server, {
      call: asked,
      pagedBy: operation.pagedBy,
      key: operation.items,
      isJsonl: given['jsonl'] === true,
    })
  const reply = await ask(cli, server, asked)
  printReply(cli, reply, {
    key: operation.items,
    isPaged: operation.pagedBy !== undefined,
    isJsonl: given['jsonl'] === true,
    output: textOf(given['output']),
    get: textOf(given['get']),
  })
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Of two operations that of a product where one is named, or, to read, where the profile has one. */
function chosen({ operations }: Entry, { opens, product }: Connection, named: string | undefined): Operation {
  const [first, ofProduct] = operations
  if (!first) throw new Error('An entry has an operation.')
  if (named === ALL_PRODUCTS) {
    if (first.scope === 'account') return first
    throw new Failure('usage', 'This is about one product: give its id with --product.', 2)
  }
  if (!ofProduct) return first
  const isUsual = first.method === 'GET' && product !== null
  return named !== undefined || opens !== null || isUsual ? ofProduct : first
}

interface Asked {
  readonly operation: Operation
  readonly given: Given
  readonly path: string
}

async function callOf(cli: Cli, entry: Entry, { operation, given, path }: Asked): Promise<Call> {
  const values = {
    query: {} as Record<string, unknown>,
    body: {} as Record<string, unknown>,
    file: {} as Record<string, unknown>,
  }
  for (const { name } of argumentsOf(entry)) {
    const value = given[isPlaced({ name }) ? name : keyOf(flagOf({ name }))]
    if (value === undefined) continue
    const taken = operation.args.find((arg) => arg.name === name)
    if (!taken) throw new Failure('usage', `--${flagOf({ name })} is not taken ${whereNot(operation)}.`, 2)
    values[taken.in][name] = value === NULL ? null : value
  }
  const input = textOf(given['input'])
  const body = { ...(input === undefined ? {} : objectIn(await inputOf(cli, input))), ...values.body }
  const takesBody = operation.args.some((arg) => arg.in !== 'query')
  return {
    method: operation.method,
    path: withQuery(path, queryOf(values.query)),
    ...(takesBody && { body: await formOf(cli, values.file, body) }),
    ...(operation.produces !== undefined && { isForFile: true }),
  }
}

const whereNot = ({ scope }: Operation) =>
  scope === 'account'
    ? 'over the whole account: name a product with --product'
    : 'of one product: --product all'

function objectIn(bytes: Buffer): object {
  try {
    const value = JSON.parse(bytes.toString()) as unknown
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {}
  throw new Failure('bad_input', '--input must have a JSON object.', 2)
}
