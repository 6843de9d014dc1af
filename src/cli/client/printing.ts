import type { Cli } from '../cli.ts'
import { pathArgument } from '../arguments.ts'
import { Failure } from '../failure.ts'
import type { Call, Reply, Server } from './call.ts'
import { counted } from '../../lib/counted.ts'
import { listIn, pagesOf } from './paging.ts'
import type { Listed } from './places.ts'
import { itemText, listText } from './show.ts'
import { writeWhole } from './write-whole.ts'

interface Printed {
  /** The key of a list in the answer. */
  readonly key?: string | undefined
  readonly isPaged?: boolean
  readonly isJsonl?: boolean
  readonly output?: string | undefined
  /** Where in the answer what is printed alone stands: `payments.0.id`. */
  readonly get?: string | undefined
}

/** What prints a part of an answer alone, for scripts. */
export const GET_OPTION = {
  '--get <path>': {
    describe: 'print only what stands there in the answer, such as id or payments.0.id',
    conflicts: ['all', 'jsonl'],
  },
} as const

/** An answer as people read it, or as JSON; a file goes where it is wanted. */
export function printReply(cli: Cli, reply: Reply, printed: Printed): void {
  const { json, bytes } = reply
  if (json === undefined) return printBytes(cli, bytes, printed.output)
  if (printed.get !== undefined) return cli.line(partText(cli, json, printed.get))
  const list = printed.key === undefined ? null : listIn(json, printed.key)
  if (list && printed.isJsonl === true) return printLines(cli, list.items)
  cli.result(json as object, list ? listText(cli, list.items) : itemText(cli, onlyOf(json)))
  if (list && printed.isPaged === true && list.items.length > 0 && list.items.length % 25 === 0)
    cli.note('There may be more: --all shows every page.')
}

export function printLines(cli: Cli, items: readonly unknown[]): void {
  for (const item of items) cli.line(JSON.stringify(item))
}

/** A file is written to no terminal. */
export function printBytes(cli: Cli, bytes: Buffer, output: string | undefined): void {
  if (output !== undefined) {
    const file = pathArgument(output, cli)
    writeWhole(file, bytes)
    return cli.result({ file, bytes: bytes.length }, `${bytes.length} bytes stand in ${file}.`)
  }
  if (bytes.length === 0) return cli.result({}, 'Done.')
  if (cli.stdout.isTTY === true)
    throw new Failure('binary', 'The answer is a file: say where it is written to with --output.', 2)
  cli.stdout.write(bytes)
}

interface Whole extends Listed {
  readonly call: Call
  readonly isJsonl: boolean
}

/** Every page of a list: item by item as JSON, as one document, or as a table at the end. */
export async function printAll(cli: Cli, server: Server, { isJsonl, ...paged }: Whole): Promise<void> {
  if (cli.json && !isJsonl) return printDocument(cli, pagesOf(cli, server, paged))
  const items: unknown[] = []
  for await (const page of pagesOf(cli, server, paged)) {
    if (isJsonl) printLines(cli, page.items)
    else items.push(...page.items)
  }
  if (isJsonl) return
  cli.line(listText(cli, items))
  cli.note(`${counted(items.length, 'row')}.`)
}

/** One document, written as its pages come. */
export async function printDocument(cli: Cli, pages: ReturnType<typeof pagesOf>): Promise<void> {
  let before: string | null = null
  for await (const { key, items } of pages) {
    if (before === null) cli.line(`{${JSON.stringify(key)}:[`)
    before ??= ''
    for (const item of items) {
      cli.line(before + JSON.stringify(item))
      before = ','
    }
  }
  cli.line(']}')
}

/** What a terminal is left of what it obeys. */
const BREAKS: ReadonlySet<string> = new Set(['\n', '\t'])

/**
 * Text as it is unless JSON is asked for, but nothing that a terminal obeys at one; anything else as JSON. `Failure` where
 * nothing stands there.
 */
export function partText(cli: Cli, json: unknown, path: string): string {
  const part = path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null
          ? Object.entries(value).find(([one]) => one === name)?.[1]
          : undefined,
      json,
    )
  if (part === undefined) throw new Failure('no_part', `The answer has nothing at ${path}.`)
  if (typeof part !== 'string' || cli.json) return JSON.stringify(part)
  return cli.stdout.isTTY === true ? part.replaceAll(/\p{Cc}/gu, (one) => (BREAKS.has(one) ? one : '')) : part
}

/** What an answer has under its only name. */
function onlyOf(json: unknown): unknown {
  const values = typeof json === 'object' && json !== null ? Object.values(json) : []
  const [only] = values
  return values.length === 1 && typeof only === 'object' && only !== null ? only : json
}
