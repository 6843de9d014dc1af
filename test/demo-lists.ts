import type { openApiDocument } from '../src/http/openapi.ts'

type OpenApi = ReturnType<typeof openApiDocument>

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly (string | number)[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Parameter {
  readonly $ref?: string
  readonly in: 'path' | 'query'
  readonly name: string
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

/** An operation that answers a list, with every value of its filters that the document names. */
export interface DocumentedList {
  /** Without the scope. */
  readonly id: string
  /** As in the document. */
  readonly path: string
  /** The key of the list in the reply. */
  readonly key: string
  /** `filter=active`. */
  readonly filters: readonly string[]
}

/** Those that choose nothing. */
const NO_FILTERS = new Set(['sort', 'count', 'offset', 'fields', 'enriched', 'is_enriched', 'extended'])

/** Every operation of the document in a scope that answers a list. */
export function documentedLists(document: OpenApi, scope: string): DocumentedList[] {
  const paths = document['paths'] as Readonly<Record<string, { get?: Operation }>>
  const resolved = <T extends { readonly $ref?: string }>(given: T): T =>
    given.$ref === undefined ? given : resolved(partOf(document, given.$ref) as T)
  return Object.entries(paths).flatMap(([path, { get: operation }]) => {
    if (!operation?.operationId.endsWith(`/${scope}`)) return []
    const reply = operation.responses['200']?.content?.['application/json']?.schema
    const properties = reply ? (resolved(reply).properties ?? {}) : {}
    const [key] = Object.entries(properties).find(([, one]) => holdsObjects(resolved(one), resolved)) ?? []
    if (key === undefined) return []
    const inQuery = (operation.parameters ?? []).map(resolved).filter((one) => one.in === 'query')
    const filters = inQuery
      .filter(({ name }) => !NO_FILTERS.has(name))
      .flatMap(({ name, schema }) => {
        const { type, enum: values = type === 'boolean' ? ['true'] : [] } = resolved(schema)
        return values.map((value) => `${name}=${value}`)
      })
    const id = operation.operationId.slice(0, -scope.length - 1)
    return [{ id, path, key, filters }]
  })
}

const holdsObjects = ({ type, items }: Schema, resolved: (given: Schema) => Schema): boolean =>
  type === 'array' && items !== undefined && resolved(items).type === 'object'

const partOf = (document: unknown, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce((part, name) => (part as Readonly<Record<string, unknown>>)[name], document)

/** Reads what is at a path; null where that is refused. */
export type Ask = (path: string) => Promise<Readonly<Record<string, unknown>> | null>

/** So many of a thing are looked at until one has what is asked for. */
const MOST = 50

/** Of an install there are no lists of what its product has anyway. */
const ofProduct = (path: string): string => path.replace(/\/installs\/[0-9]+/, '')

/** Where something was found, by the list and its query: it is looked for there first when it is asked for again. */
export type Found = Map<string, string>

/** Finds rows in lists, in whatever their paths name. */
export class Lists {
  readonly #ask: Ask
  readonly #known: Readonly<Record<string, string>>
  readonly #found: Found
  readonly #paths = new Map<string, readonly string[]>()

  constructor(ask: Ask, known: Readonly<Record<string, string>>, found: Found) {
    this.#ask = ask
    this.#known = known
    this.#found = found
  }

  /** Whether a list has a row for this query in anything that its path can name. */
  async hasRows({ path, key }: DocumentedList, query: string): Promise<boolean> {
    const hasIn = async (one: string) => {
      const rows = (await this.#ask(`${one}.json${query}`))?.[key]
      return Array.isArray(rows) && rows.length > 0
    }
    const before = this.#found.get(path + query)
    if (before !== undefined && (await hasIn(before))) return true
    for (const one of await this.#pathsOf(path.replace(/\.json$/, ''))) {
      if (!(await hasIn(one))) continue
      this.#found.set(path + query, one)
      return true
    }
    return false
  }

  /** The path with the ids of what there is in the place of its parameters. */
  async #pathsOf(path: string): Promise<readonly string[]> {
    const at = path.lastIndexOf('/{')
    if (at === -1) return [path]
    const end = path.indexOf('}', at)
    const [list, name, rest] = [path.slice(0, at), path.slice(at + 2, end), path.slice(end + 1)]
    const given = this.#known[name]
    const found: string[] = []
    for (const before of await this.#pathsOf(list)) {
      const ids = given === undefined ? await this.#idsIn(before) : [given]
      found.push(...ids.map((id) => `${before}/${id}${rest}`))
    }
    return found.slice(0, 4 * MOST)
  }

  async #idsIn(path: string): Promise<readonly string[]> {
    const known = this.#paths.get(path)
    if (known) return known
    const ids = [...(await this.#page(path, 0)), ...(await this.#page(path, MOST))]
    this.#paths.set(path, ids)
    return ids
  }

  async #page(path: string, offset: number): Promise<readonly string[]> {
    const asked = `.json?count=${MOST}&offset=${offset}`
    const reply = (await this.#ask(path + asked)) ?? (await this.#ask(ofProduct(path) + asked)) ?? {}
    const rows = Object.values(reply).find(Array.isArray) as readonly { readonly id: string }[] | undefined
    return (rows ?? []).map(({ id }) => id)
  }
}
