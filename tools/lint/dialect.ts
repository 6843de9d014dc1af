import { pathOf, type NodeOf, type Rule, type RuleContext, visitImports } from './rule.ts'

const drivers = /^(node:sqlite|pg|pg-.+|better-sqlite3|kysely-.+)$/

/** SQL that only one of the two databases understands, or that they understand differently. */
const dialectSql =
  /::\s*\w|\b(pragma|sqlite_\w+|pg_\w+|information_schema|autoincrement|(big)?serial|jsonb?_\w+|jsonb|ilike|glob|strftime|julianday|unixepoch|date_trunc|string_agg|group_concat|for\s+update|skip\s+locked|insert\s+or|on\s+duplicate|vacuum)\b/i

const engines = new Set(['sqlite', 'postgres', 'postgresql'])

/** What differs between the two databases stands in src/db alone; src/config.ts names them to choose one. */
export const noDialect: Rule = {
  create(context) {
    const isConfig = pathOf(context) === 'src/config.ts'
    return {
      ...visitImports(context, ({ node, specifier }) => {
        if (drivers.test(specifier))
          context.report({ node, message: `${specifier} is imported in src/db alone.` })
      }),
      TaggedTemplateExpression: (node) => checkSql(context, node),
      BinaryExpression(node) {
        if (!isConfig) checkComparison(context, [node.left, node.right])
      },
      SwitchCase(node) {
        if (!isConfig) checkComparison(context, [node.test])
      },
    }
  },
}

function checkSql(context: RuleContext, node: NodeOf<'TaggedTemplateExpression'>): void {
  const tag = node.tag.type === 'MemberExpression' ? node.tag.object : node.tag
  if (tag.type !== 'Identifier' || tag.name !== 'sql') return
  for (const { value } of node.quasi.quasis) {
    const [word] = dialectSql.exec(value.raw) ?? []
    if (word)
      context.report({ node, message: `'${word}' differs between the databases: it stands in src/db.` })
  }
}

type Operand = NodeOf<'BinaryExpression'>['left'] | NodeOf<'SwitchCase'>['test']

function checkComparison(context: RuleContext, operands: readonly Operand[]): void {
  for (const node of operands) {
    if (node?.type !== 'Literal' || !engines.has(String(node.value))) continue
    context.report({ node, message: 'Which database it is matters in src/db alone.' })
  }
}
