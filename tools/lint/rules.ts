import { kindOf, refusal } from './layers.ts'
import { type CallExpression, type Expression, methodCall, pathOf, type Rule, visitImports } from './rule.ts'

/** Imports point one way (ARCHITECTURE.md, "What each file may import"). */
export const importLayers: Rule = {
  create(context) {
    const from = pathOf(context)
    return visitImports(context, ({ node, path, isTypeOnly }) => {
      const message = path && refusal({ from, to: path, isTypeOnly })
      if (message) context.report({ node, message })
    })
  },
}

/** A module serves operations (`http/other-replies.ts`); it mounts nothing beside them. */
export const servedByOperations: Rule = {
  create(context) {
    const path = pathOf(context)
    if (path.startsWith('src/http/') || path === 'src/start.ts') return {}
    const message = 'Routes are mounted in src/http alone: what a module serves is an operation.'
    return {
      ImportDeclaration(node) {
        if (node.source.value !== 'fastify') return
        for (const specifier of node.specifiers) {
          const isTypeOfRequest = ['FastifyRequest', 'FastifyReply'].includes(specifier.local.name)
          if (!isTypeOfRequest) context.report({ node, message })
        }
      },
    }
  },
}

/** Schemas are built by `lib/type`, which loads no library; the checker alone loads the parts of it that check. */
export const schemasByType: Rule = {
  create(context) {
    const path = pathOf(context)
    return visitImports(context, ({ node, specifier }) => {
      if (!/^typebox(\/|$)/.test(specifier)) return
      const isEntry = path === (specifier === 'typebox' ? 'src/lib/type.ts' : 'src/http/checker.ts')
      if (!isEntry) context.report({ node, message: 'Schemas are built with lib/type.ts, not with TypeBox.' })
    })
  },
}

/** A page imports types alone of the modules, and those of schemas and entities: a browser runs nothing of the server. */
export const pagesImportTypes: Rule = {
  create: (context) =>
    visitImports(context, ({ node, path, isTypeOnly }) => {
      if (!path?.startsWith('src/')) return
      if (!isTypeOnly || kindOf(path) !== 'schema') {
        context.report({ node, message: 'A page imports types of schemas and entities alone.' })
      }
    }),
}

const queryFile = /^src\/(db\/|.+\/((.+-)?queries|.+-rows)\.ts$)/
const queryBuilders = new Set([
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'replaceInto',
])

/** SQL stands in `queries.ts`, `*-queries.ts` and `*-rows.ts`, and in src/db; a schema may use Kysely's types for its rows. */
export const queriesInTheirFiles: Rule = {
  create(context) {
    const path = pathOf(context)
    if (queryFile.test(path)) return {}
    const mayUseTypes = kindOf(path) === 'schema'
    const message = 'Queries stand in queries.ts, *-queries.ts or *-rows.ts.'
    return {
      ...visitImports(context, ({ node, specifier, isTypeOnly }) => {
        const isKysely = /^kysely(\/|$)/.test(specifier)
        if (isKysely && !(isTypeOnly && mayUseTypes)) context.report({ node, message })
      }),
      CallExpression(node) {
        const call = methodCall(node)
        if (call && queryBuilders.has(call.name)) context.report({ node, message })
      },
    }
  },
}

const scopedBuilders = new Set(['selectFrom', 'updateTable', 'deleteFrom', 'mergeInto'])

/** A query starts from its scope (`docs/decisions.md` 4.4), or says why it has none. */
export const scopedQueries: Rule = {
  create(context) {
    return {
      CallExpression(node) {
        const call = methodCall(node)
        if (!call || !scopedBuilders.has(call.name) || startsUnscoped(call.object) || isSubquery(call)) return
        context.report({
          node,
          message: `A query starts with scoped(db, 'table', scope), or with unscoped(db, 'reason') where no scope can apply: ${call.name} does neither.`,
        })
      },
    }
  },
}

/** A subquery on the expression builder `eb` stands in a query that has started from its scope. */
const isSubquery = ({ name, object }: { name: string; object: Expression }) =>
  name === 'selectFrom' && object.type === 'Identifier' && object.name === 'eb'

/** Whether a chain of calls begins with `unscoped(db, 'reason')`. */
function startsUnscoped(expression: Expression): boolean {
  if (expression.type !== 'CallExpression') return false
  if (isUnscoped(expression)) return true
  const call = methodCall(expression)
  return call !== null && startsUnscoped(call.object)
}

function isUnscoped({ callee, arguments: [, reason] }: CallExpression): boolean {
  if (callee.type !== 'Identifier' || callee.name !== 'unscoped') return false
  return reason !== undefined && !(reason.type === 'Literal' && reason.value === '')
}
