import type { TObject } from '../lib/type.ts'
import { BASE_PATH, mountsOf, type Mount } from './mounts.ts'
import type { Refusal, RefusalCode } from '../lib/errors.ts'
import { Refusing } from './openapi-errors.ts'
import { Parameters } from './openapi-parameters.ts'
import { requiredOf, Schemas, type Json } from './openapi-schema.ts'
import { SECURITY_SCHEMES, securityOf } from './openapi-security.ts'
import type { AnyOperation, FileLimit } from './operation.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

const ABOUT = `\
Arguments come from the path, the query, and a body in JSON or as a form; unknown ones are refused
to tokens of accounts, to who is logged in, in operations beside the interface and with \`X-Keywright-Strict: 1\`,
else ignored and named in the header \`Keywright-Ignored\`.
A GET of what is not there is answered 204 in the place of 404 \`not_found\` with \`X-Keywright-If-Any: 1\`.
Ids are numbers in paths and arguments, and text of digits in replies; numbers there too are \`BankAccount.person_id\`,
\`CouponEntityEnriched.coupon_id\`, \`Note.entity_id\`, \`Note.scope_entity_id\`, \`LicenseEnriched.parent_plan_id\`,
\`UserLicense.parent_plan_id\`, \`PluginEmailAddress.store_id\`, \`StoreEmailAddress.store_id\`, \`Uninstall.reason_id\`
and \`DevelopersAddTeamMemberReply.id\`. Times are \`YYYY-MM-DD HH:MM:SS\` in UTC.
Every field of an entity is always there, null where there is no value, unless \`fields\` picks others.
\`/plugins/\` in a path is the same as \`/products/\`.`

interface Parts {
  readonly parameters: Parameters
  /** What an operation is in every scope, written once. */
  readonly said: (op: AnyOperation) => Json
}

export interface About {
  /** Without a slash at the end; empty for a document that stands on no server. */
  readonly baseUrl: string
  readonly refusals: Readonly<Record<RefusalCode, Refusal>>
}

/**
 * The OpenAPI 3.1 document of every address that is served (`docs/decisions.md` 1.12): paths, operations and components
 * in an order that does not depend on that of `operations`.
 */
export function openApiDocument(operations: readonly AnyOperation[], { baseUrl, refusals }: About): Json {
  const schemas = new Schemas()
  const parameters = new Parameters(schemas)
  const refusing = new Refusing(schemas, refusals)
  const groups = [...new Set(operations.map(groupOf))].toSorted()
  const paths = pathsOf(operations, { parameters, said: memo((op) => saidOf(op, schemas, refusing)) })
  return {
    openapi: '3.1.1',
    info: {
      title: 'Keywright',
      version: '1.0',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${baseUrl}${BASE_PATH}` }],
    tags: groups.map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.all(),
      parameters: parameters.all(),
      responses: refusing.all(),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

function pathsOf(operations: readonly AnyOperation[], parts: Parts): Json {
  const mounts = Map.groupBy(
    mountsOf(operations).filter(({ served }) => served),
    ({ path }) => path,
  )
  const paths = [...mounts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(paths.map(([path, here]) => [path, pathItem(here, parts)]))
}

function pathItem(mounts: readonly Mount[], parts: Parts): Json {
  const inOrder = METHODS.flatMap((method) => mounts.filter((mount) => mount.method === method))
  return Object.fromEntries(
    inOrder.map((mount) => [mount.method.toLowerCase(), operationObject(mount, parts)]),
  )
}

/** An operation at an address: what its scope says, and what it is in each. */
function operationObject(mount: Mount, { parameters, said }: Parts): Json {
  const { op, kind } = mount
  const { summary, description, tags, ...rest } = said(op)
  const taken = parameters.of(mount)
  return {
    operationId: operationIdOf(mount),
    summary,
    ...(description !== undefined && { description }),
    tags,
    security: securityOf(op, kind),
    ...(taken.length > 0 && { parameters: taken }),
    ...rest,
  }
}

/** What an operation is in every scope. */
function saidOf(op: AnyOperation, schemas: Schemas, refusing: Refusing): Json {
  const events = op.kind === 'write' ? [...new Set(op.emits)] : []
  return {
    summary: op.summary,
    ...(events.length > 0 && {
      description: `May record ${events.map((type) => `\`${type}\``).join(', ')}.`,
    }),
    tags: [groupOf(op)],
    ...(op.body && { requestBody: requestBody(op, op.body, schemas) }),
    responses: {
      [op.status]: success(op, schemas),
      ...(op.orNothing && { 204: { description: 'Done.' } }),
      ...(op.orElsewhere && { 303: { description: 'Done; the browser goes to the address in `Location`.' } }),
      ...unchanged(op),
      ...refusing.of(op, nameOf(op, '')),
    },
  }
}

/** A request without a body is `{}`, so only required fields make it one that must be sent. */
function requestBody(op: AnyOperation, body: TObject, schemas: Schemas): Json {
  const schema = schemas.writeInput(nameOf(op, 'Body'), body)
  const wanted = Object.entries(op.files ?? {}).filter(([, { goesToStorage }]) => goesToStorage)
  if (wanted.length > 0) {
    return fileBody(op, Object.fromEntries(wanted), { body: schema, schemas })
  }
  return {
    ...(requiredOf(body).length > 0 && { required: true }),
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
  }
}

/** Files, beside the arguments as one part of JSON. */
function fileBody(
  op: AnyOperation,
  wanted: Readonly<Record<string, FileLimit>>,
  { body, schemas }: FileBody,
): Json {
  const all = Object.entries(wanted)
  const names = all.filter(([, { isOptional }]) => !isOptional).map(([name]) => name)
  const files = all.map(([name]) => [name, { type: 'string', format: 'binary' }])
  const properties = { ...Object.fromEntries(files), data: body }
  const schema = schemas.addOnce(nameOf(op, 'Form'), { type: 'object', required: names, properties })
  return { required: true, content: { 'multipart/form-data': { schema } } }
}

interface FileBody {
  readonly body: Json
  readonly schemas: Schemas
}

const ETAG = { description: 'Names this state of the answer.', schema: { type: 'string' } }

const DONE = { 200: 'Done.', 201: 'Created.', 202: 'Begun; a job does it.', 204: 'Done.' } as const

function success(op: AnyOperation, schemas: Schemas): Json {
  if (op.produces) return { description: DONE[op.status], content: { [op.produces]: {} } }
  if (op.status === 204 || !op.response) return { description: 'Done.' }
  const schema = schemas.writeAs(nameOf(op, 'Reply'), op.response)
  return {
    description: DONE[op.status],
    ...(op.kind === 'read' && op.state && { headers: { ETag: ETAG } }),
    content: { 'application/json': { schema } },
  }
}

const unchanged = (op: AnyOperation): Json =>
  op.kind === 'read' && op.state ? { 304: { description: 'The caller has it: see If-None-Match.' } } : {}

/** The operation's id and where it stands: `users/list/product`. */
function operationIdOf({ op, kind, path }: Mount): string {
  const isWithinProduct = kind === 'user' && path.includes('/products/{product_id}')
  return `${op.id}/${isWithinProduct ? 'user-product' : kind}`
}

/** Each answer of a function, worked out once. */
function memo<K, V>(answer: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const made = known.get(key) ?? answer(key)
    known.set(key, made)
    return made
  }
}

const groupOf = ({ id }: AnyOperation): string => id.split('/')[0] ?? id

/** `users/list` → `UsersListReply`. */
const nameOf = ({ id }: AnyOperation, suffix: string) =>
  id.replaceAll(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase()) + suffix
