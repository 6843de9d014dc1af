import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor, type CallExpression, type NewExpression } from 'oxc-parser'
import { operations } from '../../src/app.ts'
import { decode, Problems } from '../../src/http/decode.ts'
import { Type, type TSchema } from '../../src/lib/type.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A text of the source, with 7 for each value that it fills in. */
interface Text {
  readonly file: string
  readonly text: string
  readonly isFilled: boolean
}

/** A refusal as the source writes it; `text` is null where it is made elsewhere. */
export interface Written {
  readonly code: string
  readonly text: Text | null
}

interface Node {
  readonly type: string
  readonly value?: unknown
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[]
}

function textOf(file: string, node: Node | undefined): Text | null {
  if (typeof node?.value === 'string') return { file, text: node.value, isFilled: false }
  if (node?.type !== 'TemplateLiteral') return null
  const parts = (node.quasis ?? []).map(({ value }) => value.cooked ?? '')
  return { file, text: parts.join('7'), isFilled: parts.length > 1 }
}

/** At which argument a call has its code, its message, or the noun of what is not there. */
const CALLS: ReadonlyMap<string, readonly [code: number, message: number]> = new Map([
  ['invalid', [0, 1]],
  ['unauthorized', [0, 1]],
  ['ApiError', [1, 2]],
])

const all: Text[] = []
const written: Written[] = []
const nouns = new Set<string>()

for (const file of globSync('src/**/*.ts', { cwd: ROOT })) {
  if (/\.test\.ts$|^src\/(cli|demo)\//.test(file)) continue
  const note = (node: Node) => {
    const text = textOf(file, node)
    if (text) all.push(text)
  }
  const noteCall = ({ callee, arguments: given }: CallExpression | NewExpression) => {
    const name = callee.type === 'Identifier' ? callee.name : ''
    const args = given as readonly Node[]
    const noun = name === 'notFound' && textOf(file, args[0])
    if (noun) nouns.add(noun.text)
    const [code = -1, message = -1] = CALLS.get(name) ?? []
    const said = textOf(file, args[code])
    if (said) written.push({ code: said.text, text: textOf(file, args[message]) })
  }
  const { program } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'))
  new Visitor({
    Literal: note,
    TemplateLiteral: note,
    CallExpression: noteCall,
    NewExpression: noteCall,
  }).visit(program)
}

/** Every text of the server. */
export const texts: readonly Text[] = all
/** Every refusal that is written with its code. */
export const refusalsWritten: readonly Written[] = written
/** What the server says is not there. */
export const nounsNotFound: readonly string[] = [...nouns].toSorted()

/** What is told in reports, of rows, gateways and statements, and never of a field. */
const OF_NO_FIELD =
  /^src\/(db|gateways|health|jobs|work|sales\/ledger|imports\/(kinds|platforms|server|files|check-\w+|read-row|classify))|^src\/(lib\/json|http\/decode)\.ts$/

/** Words that no value of a field has, and parts of sentences. */
const NO_FAULT =
  /^(is not( null)?|is named like one|has the beginning of one in it|does not wait to be started|has nothing to take out, or is under way|is not under way|must match 7|must be 7|must be less than 7 after from|has 7 packed more than 7 .+)$/

/** What rules in the code say of a field, as its texts begin. */
const faultsWritten = () =>
  texts
    .filter(({ file }) => !OF_NO_FIELD.test(file))
    .map(({ text }) => text)
    .filter((text) => /^(must|is|has|are|or|needs|cannot|does|names|takes|would be|of a review) /.test(text))
    .filter((text) => !NO_FAULT.test(text))

/** What the ends of a span say. */
const faultsOfSpans = () =>
  globSync('src/**/*.ts', { cwd: ROOT }).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8')
    if (!source.includes('checkSpan(')) return []
    const forms = [...source.matchAll(/^\s*form: '(.+)',$/gm)].map(([, form]) => `must be ${form}`)
    const most = [...source.matchAll(/^\s*most: `\$\{\w+\} (\w+)`,$/gm)].map(
      ([, unit]) => `must be less than 7 ${unit} after from`,
    )
    return [...forms, ...most]
  })

/** What is put together of parts that stand apart. */
const MADE = [
  'has an archive in it that is packed more than 7 times smaller once more: 7; pack it tighter or leave it out',
  'has archives in it that together are packed more than 7 times smaller once more: the last is 7; pack them tighter or leave some out',
]

const LONG = 'x'.repeat(100_000)
const TEXTS = ['', ' ', 'a b', 'abc', LONG, '\u0000', '1,1', 'http://', '2026-13-01']
const NUMBERS = [-1, 0, 0.001, 1.5, 1e18]
const LISTS = [[], ['a'], [1, 1], [{}], [[]], [LONG], Array.from({ length: 600 }, () => ({}))]
/** Values of which each schema refuses some. */
const WRONG: readonly unknown[] = [...TEXTS, ...NUMBERS, ...LISTS, null, true, {}, { a: 1 }]

/** What schemas say of the values of an argument that are none. */
function faultsOf(schema: TSchema): string[] {
  const object = Type.Object({ it: schema })
  return WRONG.flatMap((value) =>
    (['json', 'text'] as const).flatMap((source) => {
      const problems = new Problems()
      decode(object, { it: value }, source, problems)
      return [...problems.malformed, ...problems.missing].map(({ message }) => message)
    }),
  )
}

/** Rules of a schema that are functions are told apart by their source. */
const rules = (_: string, value: unknown): unknown => (typeof value === 'function' ? String(value) : value)

/** What schemas of all operations say of wrong values. */
function faultsOfSchemas(): string[] {
  const schemas = new Map<string, TSchema>()
  for (const { params, query, body } of operations)
    for (const part of [params, query, body])
      for (const schema of Object.values(part?.properties ?? {})) {
        const { description: _, ...rest } = schema as TSchema & { readonly description?: string }
        schemas.set(JSON.stringify(rest, rules), schema as TSchema)
      }
  return [...schemas.values()].flatMap(faultsOf)
}

/** Every sentence that the server says of a field, without the field's name, with 7 for what it fills in. */
export const saidOfFields = (): string[] =>
  [...new Set([...faultsOfSchemas(), ...faultsWritten(), ...faultsOfSpans(), ...MADE])].toSorted()
