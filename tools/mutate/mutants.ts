import { parseSync, Visitor, type CallExpression, type Expression, type Node } from 'oxc-parser'

/** One change of a rule line. */
export interface Mutant {
  /** From the root. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly start: number
  readonly end: number
  /** What stands in the place of the text from `start` to `end`. */
  readonly text: string
}

/** Each operator with the one that differs least from it: by one value, or by its sign. */
const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
}

/** The same between the columns of a statement. */
const SQL: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '!=',
  '!=': '=',
  is: 'is not',
  'is not': 'is',
  in: 'not in',
}

/** Calls in a chain that narrow what comes out: taken out of it, the rest goes on. */
const NARROWING = new Set([
  'where',
  'whereRef',
  'filter',
  'having',
  'havingRef',
  'limit',
  'onConflict',
  'distinct',
])

/** Calls that only tell operators, so that taking them out changes no rule. */
const TELLING = /^(?:await )?(?:ctx\.)?(?:log|console|metrics)\b/

/** Every mutant of a module, in the order of its text. Throws where it does not parse. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: Mutant[] = []
  const lineAt = (place: number) => source.slice(0, place).split('\n').length
  const change = (start: number, end: number, text: string) =>
    found.push({ file, line: lineAt(start), start, end, text })
  const of = (node: Node) => source.slice(node.start, node.end)
  const decide = (test: Expression) => {
    change(test.start, test.end, 'true')
    change(test.start, test.end, 'false')
  }
  const between = (left: Expression, right: Expression, operator: string) => {
    const other = OPERATORS[operator]
    if (other === undefined || (operator === '+' && [left, right].some(isText))) return
    const at = left.end + source.slice(left.end, right.start).indexOf(operator)
    change(at, at + operator.length, other)
  }
  new Visitor({
    BinaryExpression: ({ left, right, operator }) => between(left, right, operator),
    LogicalExpression({ left, right, operator, start, end }) {
      if (operator === '??') change(start, end, of(left))
      else between(left, right, operator)
    },
    UnaryExpression: ({ operator, argument, start, end }) =>
      operator === '!' && change(start, end, `(${of(argument)})`),
    IfStatement: ({ test }) => decide(test),
    ConditionalExpression: ({ test }) => decide(test),
    ExpressionStatement({ expression, start, end }) {
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression
      if (call.type === 'CallExpression' && !TELLING.test(of(expression))) change(start, end, ';')
    },
    CallExpression(call) {
      const chain = narrowed(call)
      if (chain) change(call.start, call.end, of(chain))
      const operator = call.arguments[1]
      const other = operator?.type === 'Literal' ? SQL[String(operator.value)] : undefined
      if (operator && other !== undefined) change(operator.start, operator.end, `'${other}'`)
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (of(tag).split('<')[0] !== 'sql') return
      for (const { start, end } of quasi.quasis) {
        for (const [, before = '', operator = ''] of source
          .slice(start, end)
          .matchAll(/(^|.*?\s)(<=|>=|!=|<|>|=)\s/g)) {
          const at = start + source.slice(start, end).indexOf(`${before}${operator}`) + before.length
          change(at, at + operator.length, SQL[operator] ?? operator)
        }
      }
    },
    Property: ({ value, computed }) => !computed && value.type === 'Literal' && flip(value),
    VariableDeclarator: ({ init }) => init?.type === 'Literal' && flip(init),
  }).visit(program)
  return found

  function flip({ value, start, end }: { value: unknown; start: number; end: number }): void {
    if (typeof value === 'boolean') change(start, end, String(!value))
    if (typeof value === 'number') change(start, end, String(value + 1))
  }
}

const isText = ({ type, ...node }: Expression) =>
  type === 'TemplateLiteral' || (type === 'Literal' && 'value' in node && typeof node.value === 'string')

/** What a narrowing call is made on; null for any other. */
function narrowed({ callee }: CallExpression): Expression | null {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return null
  return NARROWING.has(callee.property.name) && callee.object.type !== 'Super' ? callee.object : null
}
