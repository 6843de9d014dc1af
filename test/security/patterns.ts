import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor, type CallExpression, type NewExpression, type Program } from 'oxc-parser'

/** A regular expression of the server. */
export interface Pattern {
  readonly source: string
  readonly flags: string
  /** Where it stands first: `src/lib/slug.ts:4`. */
  readonly at: string
}

interface Found {
  readonly patterns: readonly Pattern[]
  /** Places at which one is made of what is not written there. */
  readonly built: readonly string[]
}

/** Every regular expression in the code of the server: literals, `RegExp(…)`, texts that are searched for as one, and `pattern` of schemas, each once. */
export function patternsOfServer(): Found {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  return patternsOf(files.toSorted().map((file) => ({ file, text: readFileSync(file, 'utf8') })))
}

interface Source {
  readonly file: string
  readonly text: string
}

/** As `patternsOfServer`, of these files. */
export function patternsOf(sources: readonly Source[]): Found {
  const patterns = new Map<string, Pattern>()
  const built: string[] = []
  for (const { file, text } of sources) {
    const placeOf = (offset: number) => `${file}:${text.slice(0, offset).split('\n').length}`
    const { program } = parseSync(file, text)
    const constants = constantsOf(program)
    const add = (node: Node | undefined, flags: string, offset: number) => {
      const source = node && textOf(node, constants)
      if (!source?.isWhole) built.push(placeOf(offset))
      if (source) addText(source.text, flags, offset)
    }
    const addText = (source: string, flags: string, offset: number) => {
      const key = `${flags}/${source}`
      if (!patterns.has(key)) patterns.set(key, { source, flags, at: placeOf(offset) })
    }
    const ofCall = ({ callee, arguments: given, start }: CallExpression | NewExpression) => {
      const [first, second] = given as readonly Node[]
      const name = nameOf(callee as Node)
      if (name === 'RegExp') add(first, (second && textOf(second, constants)?.text) ?? '', start)
      // Given a text, these make an expression of it; a letter that is looked for as it stands is none.
      if (!SEARCHES.has(name ?? '') || callee.type !== 'MemberExpression' || !first) return
      if (textOf(first, constants)) add(first, '', start)
    }
    new Visitor({
      Literal(node) {
        if ('regex' in node) addText(node.regex.pattern, node.regex.flags, node.start)
      },
      CallExpression: ofCall,
      NewExpression: ofCall,
      Property({ key, value, start, shorthand }) {
        if (key.type !== 'Identifier' || key.name !== 'pattern') return
        // What is computed, or is a part of something else, is a value of that name and no schema.
        const isNamed = value.type === 'Identifier' && !shorthand
        if (isNamed || textOf(value as Node, constants)) add(value as Node, 'u', start)
      },
    }).visit(program)
  }
  return { patterns: [...patterns.values()], built }
}

const SEARCHES = new Set(['match', 'matchAll', 'search'])

interface Node {
  readonly type: string
  readonly name?: string
  readonly value?: unknown
  readonly property?: Node
  readonly expressions?: readonly Node[]
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null; readonly raw: string } }[]
  readonly tag?: Node
  readonly quasi?: Node
  readonly left?: Node
  readonly right?: Node
}

/** Of `RegExp` and of `globalThis.RegExp`. */
const nameOf = ({ type, name, property }: Node) => (type === 'Identifier' ? name : property?.name)

type Constants = ReadonlyMap<string, Node>

function constantsOf(program: Program): Constants {
  const constants = new Map<string, Node>()
  new Visitor({
    VariableDeclaration({ kind, declarations }) {
      for (const { id, init } of declarations) {
        if (kind === 'const' && id.type === 'Identifier' && init) constants.set(id.name, init as Node)
      }
    },
  }).visit(program)
  return constants
}

interface Text {
  readonly text: string
  /** Whether no part of it is written elsewhere: an `x` stands for each that is. */
  readonly isWhole: boolean
}

/** The text of a literal, a template, a sum of such, or the name of one in the same file; undefined of anything else. */
function textOf(node: Node, constants: Constants): Text | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return { text: node.value, isWhole: true }
  if (node.type === 'Identifier') {
    const named = constants.get(node.name ?? '')
    return named && textOf(named, constants)
  }
  if (node.type === 'TemplateLiteral') return ofTemplate(node, constants, 'cooked')
  if (node.quasi && node.tag?.property?.name === 'raw') return ofTemplate(node.quasi, constants, 'raw')
  return node.type === 'BinaryExpression' ? ofSum(node, constants) : undefined
}

function ofSum({ left, right }: Node, constants: Constants): Text | undefined {
  const sides = [left, right].map((side) => side && textOf(side, constants))
  return sides.some((side) => side !== undefined) ? joined(sides.map((side) => side ?? ELSEWHERE)) : undefined
}

function ofTemplate(
  { expressions = [], quasis = [] }: Node,
  constants: Constants,
  as: 'cooked' | 'raw',
): Text {
  const parts = expressions.map((part) => textOf(part, constants) ?? ELSEWHERE)
  const fixed = quasis.map(({ value }) => ({ text: value[as] ?? '', isWhole: true }))
  return joined(fixed.flatMap((text, at) => [text, ...parts.slice(at, at + 1)]))
}

const ELSEWHERE: Text = { text: 'x', isWhole: false }

const joined = (parts: readonly Text[]): Text => ({
  text: parts.map(({ text }) => text).join(''),
  isWhole: parts.every(({ isWhole }) => isWhole),
})
