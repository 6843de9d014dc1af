import type { Entity, Field, From, Platform, Take } from './map.ts'

/** A field of a source that a map names; `meta` of a table of keys and values. */
export interface Used {
  readonly source: string
  readonly field: Field
  readonly meta?: string
}

/** Every field of every source that a map names. */
export const usedFields = (platform: Platform): readonly Used[] => [
  ...(platform.zone === undefined ? [] : ofFrom('', platform.zone)),
  ...platform.entities.flatMap((entity) => [
    ...ofFrom(entity.source, entity.id),
    ...(entity.only ?? []).flatMap(({ from, where }) => [
      ...ofFrom(entity.source, from),
      ...(where ? ofFrom(entity.source, where[0]) : []),
    ]),
    ...takesOf(entity).flatMap((take) => ofTake(entity.source, take)),
  ]),
]

/** The takes of an entity's columns, with those that lie in others. */
export const takesOf = ({ columns }: Entity): readonly Take[] => Object.values(columns).flatMap(withInner)

const withInner = (take: Take): readonly Take[] =>
  take.take === 'later'
    ? [take, ...withInner(take.months)]
    : take.take === 'when'
      ? [take, ...withInner(take.hit), ...withInner(take.miss)]
      : [take]

function ofTake(source: string, take: Take): readonly Used[] {
  const parts = [
    ...('from' in take ? [take.from] : []),
    ...('otherwise' in take && take.take !== 'money' && take.otherwise !== undefined ? [take.otherwise] : []),
    ...(take.take === 'money'
      ? [take.currency, ...[take.less, take.plus].filter((from) => from !== undefined)]
      : []),
  ] as readonly From[]
  return parts.flatMap((from) => ofFrom(source, from))
}

function ofFrom(source: string, from: From): readonly Used[] {
  if (typeof from === 'string') return [{ source, field: from }]
  if (Array.isArray(from)) return (from as readonly From[]).flatMap((one) => ofFrom(source, one))
  if ('text' in from) return []
  if ('first' in from) return from.first.flatMap((one) => ofFrom(source, one))
  if ('words' in from) return from.words.flatMap((one) => ofFrom(source, one))
  if (!('source' in from)) return []
  const { where, pick } = from
  const get = ofFrom(from.source, from.get)
  return [
    ...ofFrom(from.source, from.on),
    ...ofFrom(source, from.by),
    ...(where ? get.map((one) => ({ ...one, meta: where[1] })) : get),
    ...(typeof pick === 'object'
      ? [{ source: from.source, field: 'newest' in pick ? pick.newest : pick.oldest }]
      : []),
  ]
}

/** Of a table of keys and values, those that its platform's map reads; null of any other source. */
export function metaKeysOf(platform: Platform, source: string): ReadonlySet<string> | null {
  const { unpack } = platform.sources[source] ?? {}
  if (unpack?.where?.[0] === 'meta_key') return new Set([unpack.where[1]])
  const own = usedFields(platform).filter((one) => one.source === source)
  if (!own.some(({ field }) => field === 'meta_value')) return null
  return new Set(own.flatMap(({ meta }) => meta ?? []))
}
