/**
 * The modules of `src`, each may import those before it (ARCHITECTURE.md). A file beside the folders is a module of its
 * own, under its name.
 */
export const MODULES = [
  'lib',
  'db',
  'config',
  'secret',
  'log',
  'context',
  'job',
  'access',
  'http',
  'work',
  'mail',
  'gateways',
  'events',
  'accounts',
  'people',
  'catalogue',
  'deployments',
  'licensing',
  'sales',
  'lists',
  'imports',
  'web',
  'demo',
  'jobs',
  'health',
  'app',
  'hooks',
  'open',
  'start',
  'cli',
  'main',
] as const

export type Module = (typeof MODULES)[number]

/** What a file of a module is, by its name: who may import it, and what it may import, follows from it. */
type Kind = 'operations' | 'routes' | 'service' | 'schema' | 'queries' | 'rules'

/**
 * Modules of which others name types alone: a context is made of what stands above it, and a table of the noun that
 * describes its columns; neither calls it.
 */
const TYPES_OF: Readonly<Partial<Record<Module, readonly Module[]>>> = {
  db: ['access', 'events', 'accounts', 'people', 'catalogue', 'licensing', 'sales'],
  context: ['gateways', 'events', 'deployments', 'licensing', 'sales', 'lists'],
  secret: ['config'],
}

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['operations', /^operations\.ts$/],
  ['routes', /(?:^|-)(?:routes|page)\.ts$/],
  ['service', /^service\.ts$/],
  ['schema', /(?:(?:^|-)schema|\.entity)\.ts$/],
  ['queries', /(?:(?:^|-)queries|-rows)\.ts$/],
]

/** The module of a file under `src`; undefined where it has no place. */
export function moduleOf(path: string): Module | undefined {
  const [, name] = /^src\/([a-z]+)(?:\.ts$|\/)/.exec(path) ?? []
  return MODULES.find((module) => module === name)
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

export const kindOf = (path: string): Kind => {
  const kind = KINDS.find(([, pattern]) => pattern.test(nameOf(path)))?.[0]
  return kind === undefined || ((kind === 'routes' || kind === 'operations') && !hasNouns(path))
    ? 'rules'
    : kind
}

interface Import {
  readonly from: string
  readonly to: string
  readonly isTypeOnly: boolean
}

/** Why `from` may not import `to` (paths from the project's root), or null when it may. */
export function refusal({ from, to, isTypeOnly }: Import): string | null {
  const importer = moduleOf(from)
  if (!importer) return hasNoPlace(from)
  if (/^(test|tools|bench)\/|\.test\.ts$/.test(to)) return 'The server imports no test and no tool.'
  if (!to.startsWith('src/')) return null
  const imported = moduleOf(to)
  if (!imported) return hasNoPlace(to)
  if (isTypeOnly && TYPES_OF[importer]?.includes(imported)) return null
  if (MODULES.indexOf(imported) > MODULES.indexOf(importer)) {
    return `${importer} stands below ${imported}, so it may not import it (tools/lint/layers.ts).`
  }
  return refusalOfKind({ from, to, isTypeOnly }) ?? refusalOfFront({ from, to })
}

/** Folders of which others see what their `front` names, the operations and the jobs. */
const FRONTS: readonly string[] = ['src/sales/checkouts/']

/** The kinds stack too: what is called over HTTP, the rules, then the data. */
function refusalOfKind({ from, to }: Import): string | null {
  const [kind, other] = [kindOf(from), kindOf(to)]
  if (other === 'operations' && from !== 'src/app.ts')
    return 'The modules are put together in src/app.ts alone.'
  if (other === 'routes' && !isOwnRoutes(from, to)) {
    return 'What a module serves is listed in its operations.ts alone.'
  }
  if (isPrivate(to) && folderOf(from) !== folderOf(to)) {
    return 'The queries of a folder are its own: another asks its service, or a part of it, …-rows.ts.'
  }
  if ((kind === 'queries' || kind === 'schema') && (other === 'service' || other === 'routes')) {
    return `A file of ${kind} imports no ${other} (tools/lint/layers.ts).`
  }
  return null
}

function refusalOfFront({ from, to }: Pick<Import, 'from' | 'to'>): string | null {
  const front = frontAround(to)
  const isOutside = front !== undefined && !from.startsWith(front)
  return isOutside ? `What stands outside ${front} imports its front alone.` : null
}

/** The folder whose front leads to a file; undefined where others import it as it is. */
const frontAround = (path: string) =>
  ['routes', 'operations'].includes(kindOf(path)) || /\/front\/|-job\.ts$/.test(path)
    ? undefined
    : FRONTS.find((folder) => path.startsWith(folder))

const isOwnRoutes = (from: string, to: string) =>
  ['routes', 'operations'].includes(kindOf(from)) && moduleOf(from) === moduleOf(to)

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

const isPrivate = (path: string) =>
  /(?:^|-)queries\.ts$/.test(nameOf(path)) && !FRONTS.includes(`${folderOf(path)}/`)

const FIRST_NOUN = MODULES.indexOf('events')

/** Whether a module is about nouns; those before are what it is made with. */
export const isNoun = (module: Module): boolean =>
  MODULES.indexOf(module) >= FIRST_NOUN && MODULES.indexOf(module) <= MODULES.indexOf('imports')

const hasNouns = (path: string) => MODULES.indexOf(moduleOf(path) ?? 'lib') >= FIRST_NOUN

const hasNoPlace = (path: string) => `${path} has no place in tools/lint/layers.ts.`
