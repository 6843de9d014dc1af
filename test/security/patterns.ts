import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor, type CallExpression, type NewExpression } from 'oxc-parser'

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

/** Every regular expression in the code of the server: literals, `RegExp(…)`, and `pattern` of schemas, each once. */
export function patternsOfServer(): Found {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const patterns = new Map<string, Pattern>()
  const built: string[] = []
  for (const file of files.toSorted()) {
    const text = readFileSync(file, 'utf8')
    const placeOf = (offset: number) => `${file}:${text.slice(0, offset).split('\n').length}`
    const add = (source: string, flags: string, offset: number) => {
      const key = `${flags}/${source}`
      if (!patterns.has(key)) patterns.set(key, { source, flags, at: placeOf(offset) })
    }
    const ofCall = ({ callee, arguments: given, start }: CallExpression | NewExpression) => {
      if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
      const [source, flags] = given.map(textOf)
      if (typeof source === 'string') add(source, flags ?? '', start)
      else built.push(placeOf(start))
    }
    new Visitor({
      Literal(node) {
        if ('regex' in node) add(node.regex.pattern, node.regex.flags, node.start)
      },
      CallExpression: ofCall,
      NewExpression: ofCall,
      Property({ key, value, start }) {
        if (key.type !== 'Identifier' || key.name !== 'pattern') return
        const source = textOf(value)
        if (typeof source === 'string') add(source, 'u', start)
      },
    }).visit(parseSync(file, text).program)
  }
  return { patterns: [...patterns.values()], built }
}

interface Node {
  readonly type: string
  readonly value?: unknown
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[]
  readonly left?: Node
  readonly right?: Node
}
/** The text of a literal; in a template an `x` stands for what is put in. Undefined where it is written elsewhere. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateLiteral') return (node.quasis ?? []).map(({ value }) => value.cooked).join('x')
  if (node.type !== 'BinaryExpression' || !node.left || !node.right) return undefined
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === undefined || right === undefined ? undefined : left + right
}
