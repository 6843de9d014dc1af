import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'

/**
 * `node tools/contract-check.ts [--write] [--spec folder] [--copy folder]`: compares the repository's copy of
 * the contract's facts with the contract, or writes it anew. Where there is no contract nothing is compared.
 */
const root = resolve(import.meta.dirname, '..')

const files = ['operations.json', 'entities.json'] as const

type Json = Readonly<Record<string, unknown>>

/** Taken over as they are: names, types and figures. */
const kept = [
  'type',
  'type_public_api',
  'format',
  'number_kind',
  'enum',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
]
/** Taken over only when true. */
const flags = ['nullable', 'required', 'read_only', 'open']

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      write: { type: 'boolean', default: false },
      spec: { type: 'string', default: join(root, '../shared/spec/contract') },
      copy: { type: 'string', default: join(root, 'test/contract') },
    },
  })
  const reduced = await readContract(values.spec)
  if (!reduced) {
    console.log(`${values.spec} is not here, nothing compared.`)
    return 0
  }
  if (values.write) {
    for (const name of files) await writeCopy(join(values.copy, name), reduced[name])
    return 0
  }
  const differing = await Promise.all(
    files.map(async (name) => differences(name, reduced[name], await readJson(join(values.copy, name)))),
  )
  for (const line of differing.flat()) console.log(line)
  if (differing.flat().length > 0) return 1
  console.log(`The copy says what the contract says: ${reduced['operations.json'].length} operations.`)
  return 0
}

/** The contract reduced to what the copy holds; null where it is not here. */
async function readContract(folder: string) {
  const [operations, entities] = await Promise.all(files.map((name) => readJson(join(folder, name))))
  if (!operations || !entities) return null
  return {
    'operations.json': (operations as Json[]).map(operation),
    'entities.json': mapValues(entities as Json, entity),
  }
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function operation({ id, method, path, query, body, success, responses }: Json): Json {
  return {
    id,
    method,
    path,
    query: byName(query),
    ...(body !== null && { body: bodyFacts(body as Json) }),
    success,
    responses: mapValues(responses as Json, ({ shape }) => shape),
  }
}

function bodyFacts({ content_type: type, required, fields, alternatives }: Json): Json {
  return {
    content_type: type,
    ...(required === true && { required }),
    fields: byName(fields),
    ...(Array.isArray(alternatives) && { alternatives: (alternatives as Json[]).map(bodyFacts) }),
  }
}

function entity({ kind, extends: base, items, fields }: Json): Json {
  return {
    kind,
    ...(typeof base === 'string' && { extends: base }),
    ...(typeof items === 'string' && { items }),
    fields: mapValues(fields as Json, fact),
  }
}

function fact(field: Json): Json {
  const { items, of, fields, additional } = field
  return {
    ...pick(field, (name) => kept.includes(name)),
    ...pick(field, (name, value) => flags.includes(name) && value === true),
    ...(isJson(items) && { items: fact(items) }),
    ...(Array.isArray(of) && { of: (of as Json[]).map(fact) }),
    ...(isJson(fields) && { fields: mapValues(fields, fact) }),
    ...(isJson(additional) && { additional: fact(additional) }),
  }
}

const byName = (list: unknown): Json =>
  Object.fromEntries((list as Json[]).map((field) => [field['name'] as string, fact(field)]))

const mapValues = (object: Json, change: (value: Json) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value as Json)]))

const pick = (object: Json, wanted: (name: string, value: unknown) => boolean): Json =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => wanted(name, value)))

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

async function writeCopy(file: string, content: unknown): Promise<void> {
  const style = await resolveConfig(file)
  await writeFile(file, await format(JSON.stringify(content), { ...style, filepath: file }))
  console.log(`${file} is written.`)
}

/** One line for each operation or entity that differs. */
function differences(file: string, contract: unknown, copy: unknown): string[] {
  const [wanted, found] = [keyed(contract), keyed(copy ?? {})]
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(found)])]
  const differing = names.filter((name) => !isDeepStrictEqual(wanted[name], found[name]))
  const lines = differing.map((name) => `${file}: ${name} differs`)
  const isMoved = lines.length === 0 && JSON.stringify(contract) !== JSON.stringify(copy)
  return isMoved ? [`${file}: the order differs`] : lines
}

const keyed = (content: unknown): Json =>
  Array.isArray(content)
    ? Object.fromEntries((content as Json[]).map((one) => [one['id'] as string, one]))
    : (content as Json)

process.exitCode = await main()
