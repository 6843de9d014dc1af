import { dirname, relative, resolve, sep } from 'node:path'
import type { RuleTester } from 'oxlint/plugins-dev'

export type Rule = Extract<Parameters<RuleTester['run']>[1], { create: unknown }>
export type RuleContext = Parameters<Rule['create']>[0]
type Visitor = ReturnType<Rule['create']>
export type NodeOf<K extends keyof Visitor> = Parameters<Extract<Visitor[K], (node: never) => void>>[0]
export type CallExpression = NodeOf<'CallExpression'>
export type Expression = CallExpression['callee']

/** The file's path from the project's root, with slashes on every system. */
export const pathOf = (context: RuleContext): string => fromRoot(context, context.filename)

const fromRoot = (context: RuleContext, file: string) => relative(context.cwd, file).replaceAll(sep, '/')

export interface ImportSeen {
  readonly node: NonNullable<Parameters<RuleContext['report']>[0]['node']>
  /** What stands in quotes. */
  readonly specifier: string
  /** The imported file's path from the project's root; null for a package. */
  readonly path: string | null
  readonly isTypeOnly: boolean
}

/** Visits every form of import and re-export that names its source. */
export function visitImports(context: RuleContext, visit: (seen: ImportSeen) => void): Visitor {
  const see = (node: ImportSeen['node'], specifier: string, isTypeOnly: boolean) => {
    const file = specifier.startsWith('.') ? resolve(dirname(context.filename), specifier) : null
    visit({ node, specifier, path: file && fromRoot(context, file), isTypeOnly })
  }
  return {
    ImportDeclaration: (node) => see(node, node.source.value, hasOnlyTypes(node)),
    ExportNamedDeclaration: (node) => node.source && see(node, node.source.value, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => see(node, node.source.value, node.exportKind === 'type'),
    ImportExpression: (node) => {
      if (node.source.type === 'Literal') see(node, String(node.source.value), false)
    },
    TSImportType: (node) => see(node, node.source.value, true),
  }
}

function hasOnlyTypes({ importKind, specifiers }: NodeOf<'ImportDeclaration'>): boolean {
  if (importKind === 'type') return true
  const isType = (specifier: (typeof specifiers)[number]) =>
    specifier.type === 'ImportSpecifier' && specifier.importKind === 'type'
  return specifiers.length > 0 && specifiers.every(isType)
}

/** The method's name in `object.name(…)` and `object['name'](…)`, with the object; null for any other call. */
export function methodCall({ callee }: CallExpression): { name: string; object: Expression } | null {
  if (callee.type !== 'MemberExpression') return null
  const { property, object, computed } = callee
  if (!computed && property.type === 'Identifier') return { name: property.name, object }
  if (property.type === 'Literal' && typeof property.value === 'string')
    return { name: property.value, object }
  return null
}
