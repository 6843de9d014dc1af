import type { Json } from '../../src/http/openapi-schema.ts'
import type { Document, Schema } from './document.ts'
import type { Fact } from './facts.ts'

/** A reply of ours has every field of the contract's, always, in its type, with its values and its nulls. */
export function replyDifferences(at: string, fact: Fact, ours: Json, document: Document): string[] {
  const here = fact.entity ?? at
  const schema = document.schema(ours)
  if (fact.type !== 'any' && !sendsType(fact, schema.type))
    return [`${here} is ${schema.type}, not ${fact.type}`]
  return [
    ...nullDifferences(here, fact, schema),
    ...enumDifferences(here, fact, schema),
    ...fieldDifferences(here, fact, schema, document),
    ...(fact.items
      ? replyDifferences(`${here}[]`, fact.items, (schema.schema['items'] ?? {}) as Json, document)
      : []),
    ...(fact.additional
      ? replyDifferences(
          `${here}{}`,
          fact.additional,
          (schema.schema['additionalProperties'] ?? {}) as Json,
          document,
        )
      : []),
  ]
}

function sendsType(fact: Fact, ours: string): boolean {
  if (fact.type === 'number' && !fact.number_kind?.startsWith('float'))
    return ['number', 'integer'].includes(ours)
  return fact.type === ours
}

function nullDifferences(at: string, fact: Fact, { nullable }: Schema): string[] {
  if (fact.type === 'any' || nullable === (fact.nullable ?? false)) return []
  return [nullable ? `${at} may be null` : `${at} is never null`]
}

function enumDifferences(at: string, fact: Fact, { schema }: Schema): string[] {
  if (!fact.enum) return []
  const ours = (schema['enum'] ?? []) as unknown[]
  const theirs: readonly unknown[] = fact.enum
  return [
    ...theirs.filter((value) => !ours.includes(value)).map((value) => `${at} is never ${String(value)}`),
    ...ours
      .filter((value) => value !== null && !theirs.includes(value))
      .map((value) => `${at} may be ${String(value)}`),
  ]
}

/** An object whose keys neither side lists in full is not looked into. */
function fieldDifferences(
  at: string,
  fact: Fact,
  { properties, required }: Schema,
  document: Document,
): string[] {
  if (fact.open && Object.keys(properties).length === 0) return []
  return Object.entries(fact.fields ?? {}).flatMap(([name, field]) => {
    const ours = properties[name]
    if (!ours) return [`${at} has no ${name}`]
    const absent = required.includes(name) ? [] : [`${at} may come without ${name}`]
    return [...absent, ...replyDifferences(`${at}.${name}`, field, ours, document)]
  })
}
