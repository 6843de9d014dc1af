import type { Mount } from '../../src/http/mounts.ts'
import type { Json } from '../../src/http/openapi-schema.ts'
import { argumentDifferences, isAccepted } from './compare-arguments.ts'
import { replyDifferences } from './compare-reply.ts'
import type { Document } from './document.ts'
import { ourId, type ContractOperation } from './facts.ts'
import { parseShape } from './shape.ts'

/** The contract spells one path of the developer's scope in the singular. */
const ourPath = (path: string) => path.replace(/^\/developer\//, '/developers/')

/** Where the contract and our operation disagree, one sentence each; empty when they agree. */
export function differencesOf(
  contract: ContractOperation,
  mounts: readonly Mount[],
  document: Document,
): string[] {
  const { id, method } = contract
  const path = ourPath(contract.path)
  const mount = mounts.find((one) => one.served && one.method === method && one.path === path)
  const operation = document.operation(method, path)
  if (mount?.op.id !== ourId(contract) || !operation) return [`${id} is not at ${method} ${path}`]
  return [
    ...queryDifferences(contract, mount, document, operation),
    ...bodyDifferences(contract, mount, document, operation),
    ...statusDifferences(contract, mount, operation),
    ...successDifferences(contract, document, operation),
  ]
}

function queryDifferences(
  { id, query }: ContractOperation,
  { op }: Mount,
  document: Document,
  operation: Json,
) {
  const ours = document.query(operation)
  const required = Object.keys(ours).filter((name) => ours[name]?.['required'] === true)
  return [
    ...Object.entries(query).flatMap(([name, fact]) =>
      argumentDifferences(`${id} query ${name}`, fact, {
        schema: viewOf(document, ours[name]?.['schema']),
        accepts: (value, meant) =>
          isAccepted(op.query, name, { value: String(value), meant, source: 'text' }),
      }),
    ),
    ...required
      .filter((name) => query[name]?.required !== true)
      .map((name) => `${id} query requires ${name}`),
  ]
}

function bodyDifferences(
  { id, body }: ContractOperation,
  { op }: Mount,
  document: Document,
  operation: Json,
) {
  const fields = body?.fields ?? {}
  const schema = document.json(operation['requestBody'])
  const ours = schema && document.schema(schema)
  return [
    ...Object.entries(fields).flatMap(([name, fact]) =>
      argumentDifferences(`${id} body ${name}`, fact, {
        schema: viewOf(document, ours?.properties[name]),
        accepts: (value, meant) => isAccepted(op.body, name, { value, meant, source: 'json' }),
      }),
    ),
    ...(ours?.required ?? [])
      .filter((name) => fields[name]?.required !== true)
      .map((name) => `${id} body requires ${name}`),
  ]
}

const viewOf = (document: Document, schema: unknown) =>
  schema === undefined ? undefined : document.schema(schema as Json)

function statusDifferences(
  { id, success, responses }: ContractOperation,
  { op }: Mount,
  operation: Json,
): string[] {
  const declared = operation['responses'] as Json
  const refusals = Object.keys(responses).filter((status) => Number(status) >= 400)
  return [
    ...(op.status === success && String(success) in declared ? [] : [`${id} does not answer ${success}`]),
    ...refusals.filter((status) => !(status in declared)).map((status) => `${id} does not declare ${status}`),
  ]
}

function successDifferences(
  { id, success, responses }: ContractOperation,
  document: Document,
  operation: Json,
): string[] {
  const shape = responses[success] ?? 'none'
  if (shape.startsWith('binary')) return []
  const schema = document.json((operation['responses'] as Json)[success])
  if (shape === 'none') return schema ? [`${id} answers with a body`] : []
  if (!schema) return [`${id} answers without a body`]
  return replyDifferences(`${id} reply`, parseShape(shape), schema, document)
}
