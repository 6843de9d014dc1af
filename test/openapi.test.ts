import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { operations, refusals } from '../src/app.ts'
import { mountsOf } from '../src/http/mounts.ts'
import type { Json } from '../src/http/openapi-schema.ts'
import { openApiDocument } from '../src/http/openapi.ts'
import { hashOf, HASH_FILE } from '../tools/openapi.ts'
import { Document } from './contract/document.ts'

const document = new Document(openApiDocument(operations, { baseUrl: '', refusals }))
const paths = Object.entries(document.content['paths'] as Record<string, Record<string, Json>>)
const entries = paths.flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)

test('docs/openapi.sha256 is the hash of what the operations say (`npm run openapi` writes it)', async () => {
  assert.equal(await readFile(HASH_FILE, 'utf8'), hashOf(document.content))
})

test('the document does not depend on the order of the operations', () => {
  const reversed = openApiDocument(operations.toReversed(), { baseUrl: '', refusals })
  assert.equal(JSON.stringify(reversed), JSON.stringify(document.content))
})

test('every address that is served is in the document, and no other', () => {
  const served = mountsOf(operations).filter((mount) => mount.served)
  assert.deepEqual(
    entries.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted(),
    served.map(({ method, path }) => `${method} ${path}`).toSorted(),
  )
})

test('an operation is named by its id and where it stands, each name once', () => {
  const names = entries.map(({ operation }) => String(operation['operationId']))
  assert.equal(new Set(names).size, names.length)
  assert.ok(names.includes('users/list/product') && names.includes('users/list/developer'))
  assert.ok(names.includes('users/retrieve-billing/user'))
  assert.ok(names.includes('users/retrieve-billing/user-product'))
})

test('every reference leads somewhere, and every component is referred to', () => {
  const references = new Set<string>()
  walk(document.content, (json) => {
    if (typeof json['$ref'] !== 'string') return
    document.resolve(json)
    references.add(json['$ref'])
  })
  const { securitySchemes: _, ...components } = document.content['components'] as Record<string, Json>
  const written = Object.entries(components).flatMap(([kind, named]) =>
    Object.keys(named).map((name) => `#/components/${kind}/${name}`),
  )
  assert.deepEqual(
    written.filter((component) => !references.has(component)),
    [],
  )
})

test('the ids that are numbers in replies are those that the document names', () => {
  const { schemas } = document.content['components'] as Record<string, Record<string, Json>>
  const numbers = Object.entries(schemas ?? {})
    .filter(([name]) => !name.endsWith('Body'))
    .flatMap(([name, schema]) =>
      Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
        .filter(([field, { type }]) => /(^|_)id$/.test(field) && [type].flat().includes('integer'))
        .map(([field]) => `${name}.${field}`),
    )
  const { description } = document.content['info'] as Json
  const named = [...String(description).matchAll(/`(\w+\.\w+)`/g)].map(([, field]) => field)
  assert.deepEqual(named.toSorted(), numbers.toSorted())
})

test('every part of a path in braces is declared once, as required', () => {
  for (const { path, method, operation } of entries) {
    const parameters = ((operation['parameters'] ?? []) as Json[]).map((one) => document.resolve(one))
    const inPath = parameters.filter((one) => one['in'] === 'path')
    assert.deepEqual(
      inPath.map(({ name, required }) => [name, required]),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, true]),
      `${method} ${path}`,
    )
    assert.equal(new Set(parameters.map((one) => `${one['in']} ${one['name']}`)).size, parameters.length)
  }
})

test('every operation has a tag, a summary, a declared way to authenticate, and the refusals of all', () => {
  const schemes = Object.keys(
    (document.content['components'] as Record<string, Json>)['securitySchemes'] ?? {},
  )
  const tags = (document.content['tags'] as Json[]).map(({ name }) => name)
  for (const { path, method, operation } of entries) {
    const at = `${method} ${path}`
    const security = operation['security'] as Json[]
    assert.ok(security.length > 0, at)
    assert.deepEqual(
      security.flatMap((one) => Object.keys(one)).filter((name) => !schemes.includes(name)),
      [],
      at,
    )
    assert.deepEqual(
      (operation['tags'] as string[]).filter((tag) => !tags.includes(tag)),
      [],
      at,
    )
    assert.ok(operation['summary'], at)
    const statuses = Object.keys(operation['responses'] as Json)
    for (const status of ['400', '401', '402', '404', '429'])
      assert.ok(statuses.includes(status), `${at} ${status}`)
  }
})

test('a body is taken as JSON and as a form, under one schema', () => {
  for (const { operation } of entries) {
    const content = (operation['requestBody'] as Json | undefined)?.['content'] as Json | undefined
    // Files that must be sent leave no other way.
    if (!content || 'multipart/form-data' in content) continue
    assert.deepEqual(content['application/json'], content['application/x-www-form-urlencoded'])
    assert.ok((document.json(operation['requestBody']) as Json)['$ref'])
  }
})

test('writes take an Idempotency-Key, reads do not', () => {
  const kinds = new Map(operations.map(({ id, kind }) => [id, kind]))
  for (const { operation } of entries) {
    const id = String(operation['operationId']).split('/').slice(0, 2).join('/')
    const takes = JSON.stringify(operation['parameters'] ?? []).includes('/Idempotency-Key"')
    assert.equal(takes, kinds.get(id) === 'write', id)
    assert.equal('422' in (operation['responses'] as Json), takes, id)
  }
})

test('no object schema of more than a few fields is written twice', () => {
  const seen = new Map<string, number>()
  walk(document.content, (json) => {
    if (json['type'] !== 'object' || Object.keys((json['properties'] ?? {}) as Json).length === 0) return
    const text = JSON.stringify(json)
    seen.set(text, (seen.get(text) ?? 0) + 1)
  })
  assert.deepEqual(
    [...seen].filter(([, times]) => times > 1),
    [],
  )
})

test('ids are whole numbers of 64 bits in paths and in queries, and every format is one that generators know', () => {
  const formats = new Set<unknown>()
  walk(document.content, (json) => {
    if (typeof json['format'] === 'string') formats.add(json['format'])
  })
  assert.deepEqual(
    [...formats].filter((format) => !['int64', 'email', 'uri', 'binary'].includes(String(format))),
    [],
  )
  const { parameters } = document.content['components'] as Record<string, Record<string, Json>>
  // The proof of a pricing page is text, as a wrong one hides no prices.
  const others = ['special_id', 'reason_id', 'store_id', 's_ctx_id', 'request_id']
  for (const [name, { schema }] of Object.entries(parameters ?? {})) {
    if (name.endsWith('_id') && !others.includes(name))
      assert.deepEqual(schema, { type: 'integer', minimum: 1, format: 'int64' }, name)
  }
})

test('a field with a default need not be sent', () => {
  const { UsersCreateBody } = (document.content['components'] as Record<string, Json>)['schemas'] as Record<
    string,
    Json
  >
  assert.deepEqual(UsersCreateBody?.['required'], ['email'])
})

function walk(value: unknown, visit: (json: Json) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Json)
  for (const inner of Object.values(value)) walk(inner, visit)
}
