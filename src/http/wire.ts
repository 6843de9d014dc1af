import { Type, type Static, type TObject, type TProperties, type TSchema } from '../lib/type.ts'
import { isCountry } from '../lib/countries.ts'
import type { ListSort, TitleSort } from '../db/newest-by.ts'
import { parseRights } from '../access/rights.ts'
import { isTypeList } from '../db/tables/event-types.ts'
import { fold } from '../lib/fold.ts'
import { isCleanText, isEmail, isHttpUrl, isIp, isWebAddress } from '../lib/formats.ts'
import { parseIdList } from '../lib/id-list.ts'
import { isMinorAmount, MAX_PRICE } from '../lib/money.ts'
import { isSlug } from '../lib/slug.ts'
import { parseTimeText } from '../lib/time-text.ts'
import { isVersion } from '../lib/version-key.ts'
import { isTimeZone } from '../lib/zoned-time.ts'

/** Formats of text beyond JSON Schema's own, with what a refusal says. */
const FORMATS: Readonly<Record<string, { check: (text: string) => boolean; message: string }>> = {
  email: { check: isEmail, message: 'must be a valid email address' },
  'email-or-empty': {
    check: (text) => text === '' || isEmail(text),
    message: 'must be a valid email address, or empty',
  },
  'country-or-empty': {
    check: (text) => text === '' || isCountry(text),
    message: 'must be the code of a country (ISO 3166-1, two letters), or empty',
  },
  ip: { check: isIp, message: 'must be an IPv4 or IPv6 address' },
  'http-url': { check: isHttpUrl, message: 'must be an http or https address' },
  'http-url-or-empty': {
    check: (text) => text === '' || isHttpUrl(text),
    message: 'must be an http or https address, or empty',
  },
  'web-address': {
    check: (text) => text === '' || isWebAddress(text),
    message: 'must be an http or https address',
  },
  slug: {
    check: (text) => isSlug(fold(text)),
    message: 'must have letters, digits, hyphens and underscores only',
  },
  version: { check: isVersion, message: 'must be a version such as 1.2, 1.2.3 or 2.0.0-beta.1' },
  'event-types': {
    check: isTypeList,
    message: 'must be types of events with commas between them, such as license.created',
  },
  rights: {
    check: (text) => parseRights(text) !== null,
    message: 'must be rights with commas between them, such as licenses.write, on anything but own',
  },
  ids: { check: (text) => parseIdList(text) !== null, message: 'must be ids separated by commas, each once' },
  line: { check: (text) => isCleanText(text), message: 'must not have control or direction characters' },
  text: {
    check: (text) => isCleanText(text, { multiline: true }),
    message: 'must not have control or direction characters',
  },
  secret: { check: () => true, message: 'must be text' },
}

/** What says of each format whether a text has it. */
export const FORMAT_CHECKS = Object.entries(FORMATS).map(([name, { check }]) => [name, check] as const)

export const formatMessage = (format: string): string => FORMATS[format]?.message ?? `must match ${format}`

/** Marks an integer that is an id: on the wire digits in text or a number (`docs/decisions.md` 1.2, 1.3). */
export const ID_FORMAT = 'int64'

/** An id in a path, a query or a body; inside it is a number. */
export const Id = (description = '') =>
  Type.Integer({ minimum: 1, format: ID_FORMAT, ...described(description) })

/** An id in a reply: decimal text. */
export const IdText = (description = '') =>
  Type.String({ pattern: '^[1-9][0-9]{0,15}$', ...described(description) })

/** `YYYY-MM-DD HH:MM:SS` in UTC. */
export const Time = (description = '') =>
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$', ...described(description) })

/** A time as callers write it: with its hour, or a date alone. */
export const TimeText = (description = '') =>
  Type.Refine(
    Type.String({ maxLength: 19, ...described(description) }),
    (text) => parseTimeText(text, 'last second') !== null,
    () => 'must be a time YYYY-MM-DD HH:MM:SS in UTC, or a date YYYY-MM-DD',
  )

/** A time zone by its name, or an offset. */
export const TimeZone = (description = '', more: { readonly default?: string } = {}) =>
  Type.Refine(
    Type.String({ maxLength: 100, ...more, ...described(description) }),
    isTimeZone,
    () => 'must be a time zone, such as UTC or Europe/Berlin',
  )

export const Nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])

/** An amount of money in units of its currency, with two decimals at most (`docs/decisions.md` 5.1). */
export const Price = (description = '') =>
  Type.Refine(
    Type.Number({ minimum: 0, maximum: MAX_PRICE, ...described(description) }),
    isMinorAmount,
    () => 'must have at most two decimals',
  )

/** One of a few texts or numbers; with `anyCase` lower-case texts, accepted in any case. */
export const Choice = <const T extends readonly (string | number)[]>(
  values: T,
  options: { readonly anyCase?: true; readonly [keyword: string]: unknown } = {},
) => Type.Unsafe<T[number]>({ enum: [...values], ...options })

interface TextOptions {
  readonly min?: number
  readonly max?: number
  readonly format?: keyof typeof FORMATS | undefined
  readonly description?: string
}

/** One line of text without control characters; at most 255 characters unless `max` says otherwise. */
export const Text = ({ min, max = 255, format = 'line', description = '' }: TextOptions = {}) =>
  Type.String({
    ...(min !== undefined && { minLength: min }),
    maxLength: max,
    format,
    ...described(description),
  })

/**
 * Any text, for what is hashed or compared and never stored or shown as it came: passwords, keys, codes. An error
 * does not echo it, whatever its name (`docs/decisions.md` 2.1).
 */
export const SecretText = ({ max = 4096, description = '' } = {}) =>
  Type.String({ maxLength: max, format: 'secret', ...described(description) })

/** The arguments among these that are secret texts. */
export const secretNamesOf = (...schemas: readonly (TObject | undefined)[]): string[] =>
  schemas.flatMap((schema) =>
    Object.entries(schema?.properties ?? {})
      .filter(([, property]) => 'format' in property && property.format === 'secret')
      .map(([name]) => name),
  )

export const Optional = Type.Optional

/** The query parameter that picks fields of the items of a reply (`docs/decisions.md` 1.6). */
export const Fields = {
  fields: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'Comma-separated names of the fields to return; absent: all.',
    }),
  ),
}

/** Narrows a list to what is of one environment. */
export const InEnvironment = Optional(
  Choice([0, 1], { description: 'Only what is live (0), or of the sandbox (1).' }),
)

/** Narrows a list to what was made in a span of time. */
export const MadeBetween = {
  from: Optional(TimeText('Made at this time or later, or on this day; UTC.')),
  to: Optional(TimeText('Made at this time or earlier, or on this day; UTC.')),
}

/** In which order a list comes. */
export const Sorted = {
  sort: Type.Unsafe<ListSort>(
    Choice(['id', '-id'], { default: '-id', description: '`id`: the oldest first; `-id`: the newest.' }),
  ),
}

/** In which order a short list of what has a title comes. */
export const SortedByTitle = {
  sort: Type.Unsafe<TitleSort>(
    Choice(['id', '-id', 'title', '-title'], {
      default: '-id',
      description:
        '`id`: the oldest first; `-id`: the newest; `title`, `-title`: by title, A to Z whatever their case.',
    }),
  ),
}

/** Paging of a list (`docs/decisions.md` 1.7). */
export const Paging = {
  count: Type.Integer({ minimum: 1, maximum: 50, default: 25, description: 'Page size.' }),
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Records to skip.',
  }),
}

export type Paged = Static<TObject<typeof Paging>>

/** So far from its start a list over products is read, as each of them is read from its own start. */
export const FARTHEST = 1_000

/** What narrows a list over the products of an account, and how far it reaches. */
export const OverProducts = {
  product_ids: Optional(
    Text({ max: 2000, format: 'ids', description: 'Only of these products, by commas; absent: of all.' }),
  ),
  offset: Type.Integer({
    ...Paging.offset,
    description: `Records to skip; beyond ${FARTHEST} there are none, narrow it instead.`,
  }),
}

/** The object of a query or a body; keys it does not name are ignored (`docs/decisions.md` 1.1). */
export const Arguments = <T extends TProperties>(properties: T) => Type.Object(properties)

function described(description: string): { description?: string } {
  return description === '' ? {} : { description }
}
