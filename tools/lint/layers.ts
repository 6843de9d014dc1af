interface Layer {
  readonly name: string
  /** Matched against a path like `src/http/server.ts`; the first layer that matches is the file's. */
  readonly files: RegExp
  /** Layers it may import; its own is one only where it is listed. */
  readonly imports: readonly string[]
  /** Layers it may import from its own folder. */
  readonly ownFolder?: readonly string[]
  /** Layers of which it may import types. */
  readonly types?: readonly string[]
}

const adapters = ['gateways', 'mail', 'invoices', 'tax', 'storage', 'archive', 'webhooks']
const upToContext = ['lib', 'config', 'db', 'outbox', ...adapters, 'context']
const upToHttp = [...upToContext, 'scope', 'audit', 'http']
const upToServices = [...upToHttp, 'schema', 'queries', 'record', 'service', 'ledger']
const upToFlows = [...upToServices, 'flows']
const all = [...upToFlows, 'routes', 'jobs', 'app', 'cli', 'main']

/** What a service may write beside its own rows, in the same transaction. */
const written = ['record', 'audit', 'outbox']

/**
 * What each file may import (ARCHITECTURE.md). In short:
 * lib ← db, config, adapters ← context ← http ← schema, queries ← service ← flows ← routes, jobs ← app ← main.
 */
const layers: readonly Layer[] = [
  { name: 'lib', files: /^src\/lib\//, imports: ['lib'] },
  { name: 'config', files: /^src\/(config|secret)\.ts$/, imports: ['lib', 'config'] },
  { name: 'db', files: /^src\/db\//, imports: ['lib', 'db'], types: ['scope'] },
  {
    name: 'outbox',
    files:
      /^src\/mail\/(outbox|answers|limits|limit-queries|message|render|templates|queries|texts\/[a-z]+)\.ts$/,
    imports: ['lib', 'db', 'outbox'],
    types: ['config'],
  },
  ...adapters.map((name) => ({
    name,
    files: new RegExp(`^src/${name}/`),
    imports: ['lib', 'config', 'db', 'outbox', name],
  })),
  { name: 'context', files: /^src\/(context|log)\.ts$/, imports: upToContext },
  { name: 'scope', files: /^src\/http\/scope\.ts$/, imports: ['lib'] },
  { name: 'audit', files: /^src\/http\/audit\.ts$/, imports: upToHttp },
  { name: 'http', files: /^src\/http\//, imports: upToHttp },
  {
    name: 'record',
    files: /^src\/resources\/(events\/record|products\/catalogue)\.ts$/,
    imports: [...upToContext, 'scope'],
    ownFolder: ['queries'],
  },
  {
    name: 'schema',
    files: /^src\/resources\/[^/]+\/(.+-)?schema\.ts$/,
    imports: [...upToHttp, 'schema'],
    ownFolder: ['queries'],
  },
  {
    name: 'queries',
    files: /^src\/(resources|ledger|jobs)\/(.+\/)?(.+-)?queries\.ts$/,
    imports: ['lib', 'db', 'context'],
    ownFolder: ['schema', 'queries'],
    types: ['scope', 'http', 'schema'],
  },
  {
    name: 'routes',
    files: /^src\/resources\/[^/]+\/(.+-)?(routes|page)\.ts$/,
    imports: upToFlows,
    ownFolder: ['routes'],
  },
  {
    name: 'service',
    files: /^src\/resources\/[^/]+\//,
    imports: ['lib', 'db', 'context', 'scope', ...written],
    ownFolder: ['schema', 'queries', 'service'],
    types: ['http'],
  },
  {
    name: 'ledger',
    files: /^src\/ledger\//,
    imports: ['lib', 'db', 'context', 'ledger'],
    ownFolder: ['queries'],
    types: ['scope'],
  },
  { name: 'flows', files: /^src\/flows\//, imports: upToFlows },
  { name: 'jobs', files: /^src\/jobs\//, imports: [...upToFlows, 'jobs'] },
  { name: 'app', files: /^src\/(app|open|start)\.ts$/, imports: [...upToFlows, 'routes', 'jobs', 'app'] },
  { name: 'cli', files: /^src\/cli\//, imports: all },
  { name: 'main', files: /^src\/main\.ts$/, imports: all },
]

export const layerOf = (path: string): Layer | undefined => layers.find(({ files }) => files.test(path))

interface Import {
  readonly from: string
  readonly to: string
  readonly isTypeOnly: boolean
}

/** Why `from` may not import `to` (paths from the project's root), or null when it may. */
export function refusal(seen: Import): string | null {
  const importer = layerOf(seen.from)
  if (!importer) return hasNoPlace(seen.from)
  if (/^(test|tools|bench)\/|\.test\.ts$/.test(seen.to)) return 'The server imports no test and no tool.'
  if (!seen.to.startsWith('src/')) return null
  const imported = layerOf(seen.to)
  if (!imported) return hasNoPlace(seen.to)
  if (permits(importer, imported, seen)) return null
  const types = importer.types?.includes(imported.name) ? ' more than types of' : ''
  return `${importer.name} may not import${types} ${imported.name} (tools/lint/layers.ts).`
}

function permits(importer: Layer, imported: Layer, { from, to, isTypeOnly }: Import): boolean {
  if (importer.imports.includes(imported.name)) return true
  if (isTypeOnly && importer.types?.includes(imported.name)) return true
  return folder(from) === folder(to) && importer.ownFolder?.includes(imported.name) === true
}

const hasNoPlace = (path: string) => `${path} has no place in tools/lint/layers.ts.`
const folder = (path: string) => path.slice(0, path.lastIndexOf('/'))
