import type { AsideCode, PlatformFault } from '../codes.ts'
import type { Value } from '../kinds/column.ts'
import type { PlatformName } from './names.ts'

/** A field of a record, with dots into what lies in it: `attributes.total`. */
export type Field = string

/** A field of records of another source, which are found by what they have in common with this one. */
export interface Via {
  readonly source: string
  /** What is there as `by` is here. */
  readonly on: From
  readonly by: From
  /** Only of records with this text in a field: a row of a table of keys and values. */
  readonly where?: readonly [Field, string]
  /** Of several the first, that with the greatest or least text in a field, or what all of them come to (money alone). */
  readonly pick?: 'first' | 'sum' | { readonly newest: Field } | { readonly oldest: Field }
  readonly get: From
}

/**
 * Where a value stands: a field, one of another source, a text that is always the same, the first of some that has one, or
 * some with colons between.
 */
export type From =
  | Field
  | Via
  | { readonly text: string }
  | { readonly first: readonly From[] }
  /** With spaces between; empty where one of them is. */
  | { readonly words: readonly From[] }
  | readonly From[]

/** How a value becomes one of a column. */
export type Take =
  | { readonly take: 'text'; readonly from: From; readonly max: number; readonly otherwise?: From }
  | { readonly take: 'slug'; readonly from: From; readonly otherwise?: From }
  /** A text of a form, and nothing of any other. */
  | { readonly take: 'matching'; readonly from: From; readonly form: RegExp }
  /** The code of a country (ISO 3166-1) in upper case, and nothing of any other text. */
  | { readonly take: 'country'; readonly from: From }
  /** The first word of a name, all words after it, or all of it; empty where there is none. */
  | { readonly take: 'name'; readonly from: From; readonly part: 'first' | 'last' | 'whole' }
  | { readonly take: 'fixed'; readonly value: Value }
  | { readonly take: 'time'; readonly from: From; readonly written: Written; readonly otherwise?: From }
  /** So many months after a time. */
  | { readonly take: 'later'; readonly from: From; readonly written: Written; readonly months: Take }
  /** In minor units, or as decimals, of the currency that stands in another field. */
  | {
      readonly take: 'money'
      readonly from: From
      readonly currency: From
      readonly written: 'minor' | 'decimal'
      readonly otherwise?: Value
      /** What is taken off: the tax of a price that has it in it. */
      readonly less?: From
      /** What is added: the tax of an amount that is without it. */
      readonly plus?: From
      /** How what is taken off is written, where otherwise. */
      readonly lessWritten?: 'minor' | 'decimal'
      /** What is written as a negative amount is given back, and so positive here. */
      readonly isGivenBack?: true
    }
  | { readonly take: 'currency'; readonly from: From }
  /** One of ours for each of theirs; any other is refused with a code. */
  | {
      readonly take: 'state'
      readonly from: From
      readonly of: Readonly<Record<string, Value>>
      readonly code: PlatformFault
    }
  | { readonly take: 'email'; readonly from: From }
  | { readonly take: 'key'; readonly from: From }
  /** So many places; of these texts unlimited. */
  | { readonly take: 'quota'; readonly from: From; readonly unlimited: readonly string[] }
  /** A whole number, or so many parts of one: basis points of a percent. */
  | { readonly take: 'whole'; readonly from: From; readonly parts: number }
  | { readonly take: 'flag'; readonly from: From; readonly yes: readonly string[] }
  /** The row that an entity has made of a record; an optional one that is not there is left empty. */
  | { readonly take: 'reference'; readonly to: string; readonly from: From; readonly optional: boolean }
  /** Another one where a field has one of these texts, or else. */
  | {
      readonly take: 'when'
      readonly from: From
      readonly is: readonly string[]
      readonly hit: Take
      readonly miss: Take
    }

/**
 * How times are written: with their zone (ISO 8601), in UTC without it, in seconds since 1970, or by the clock of the shop,
 * whose zone `Platform.zone` finds. `0000-00-00 00:00:00` and 0 are none.
 */
export type Written = 'zoned' | 'UTC' | 'seconds' | 'shop'

/**
 * Which records of a source an entity is made of: those that are put aside are counted by the code, `*` any that are not
 * taken. A record that is neither has a state that is not known.
 */
export interface Only {
  readonly from: From
  /** Asked only of records with one of these texts in a field. */
  readonly where?: readonly [From, readonly string[]]
  readonly take: readonly string[]
  readonly aside: readonly string[]
  /** Left out where the others are something else altogether, such as pages among products: nobody counts them. */
  readonly code?: AsideCode
}

/** Rows of a kind of ours, made of the records of a source. */
export interface Entity {
  /** What references call it; the ids of its rows are made of it and what `id` says. */
  readonly name: string
  readonly kind: string
  readonly source: string
  readonly id: From
  /** Records without an id are something else, and are passed over. */
  readonly isMaybe?: true
  readonly only?: readonly Only[]
  /** Columns of the kind, and those of `BESIDE`. */
  readonly columns: Readonly<Record<string, Take>>
}

/** What entities say beside the columns of a kind, of which the engine makes columns and rows. */
export const BESIDE: Readonly<Record<string, readonly string[]>> = {
  // With tax; what was given back of it, and when.
  payments: ['total', 'refunded_total', 'refunded_at'],
  // The site that a license is active on, or what the platform calls the device.
  installs: ['address'],
  // Customer and method at the gateway, with which it is renewed.
  subscriptions: ['method_gateway', 'method_kind', 'method_token'],
}

/** A source of a platform: a table of its database, or a list of its interface. */
export interface Records {
  /** How its files are called, without prefix of tables, number of page and ending. */
  readonly file: string
  /** What it is, for the documents. */
  readonly says: string
  /** Where the records lie in a page of JSON; `data` where it is left out. */
  readonly list?: Field
  /** Records are made of what lies in a field: of each item of a list, or of a text that PHP has serialized. */
  readonly unpack?: {
    readonly field: Field
    readonly as: 'list' | 'php'
    readonly where?: readonly [Field, string]
  }
  /** Nothing comes without it. */
  readonly required?: true
}

/** What a platform has that does not come, or comes otherwise. */
export interface NoFit {
  readonly what: string
  readonly why: string
}

/** What is known of a platform whose data comes here: data alone, read by one engine. */
export interface Platform {
  readonly name: PlatformName
  readonly title: string
  /** How its files are had. */
  readonly says: string
  readonly documents: readonly string[]
  readonly sources: Readonly<Record<string, Records>>
  /** Where the shop says its time zone, `Europe/Berlin`; UTC where it says none. */
  readonly zone?: From
  readonly entities: readonly Entity[]
  readonly noFit: readonly NoFit[]
}

export const text = (from: From, max = 200, otherwise?: From): Take => ({
  take: 'text',
  from,
  max,
  ...(otherwise !== undefined && { otherwise }),
})
export const slug = (from: From, otherwise?: From): Take => ({
  take: 'slug',
  from,
  ...(otherwise !== undefined && { otherwise }),
})
export const matching = (from: From, form: RegExp): Take => ({ take: 'matching', from, form })
export const first = (from: From): Take => ({ take: 'name', from, part: 'first' })
export const last = (from: From): Take => ({ take: 'name', from, part: 'last' })
export const name = (from: From): Take => ({ take: 'name', from, part: 'whole' })
export const fixed = (value: Value): Take => ({ take: 'fixed', value })
export const NONE = fixed(null)
export const time = (from: From, written: Written = 'zoned', otherwise?: From): Take => ({
  take: 'time',
  from,
  written,
  ...(otherwise !== undefined && { otherwise }),
})
export const later = (from: From, months: Take, written: Written = 'zoned'): Take => ({
  take: 'later',
  from,
  written,
  months,
})
interface MoneyOptions {
  readonly otherwise?: Value
  readonly less?: From
  readonly plus?: From
  readonly lessWritten?: 'minor' | 'decimal'
  readonly isGivenBack?: true
}
export const minor = (from: From, currency: From, options: MoneyOptions = {}): Take => ({
  take: 'money',
  from,
  currency,
  written: 'minor',
  ...options,
})
export const decimal = (from: From, currency: From, options: MoneyOptions = {}): Take => ({
  take: 'money',
  from,
  currency,
  written: 'decimal',
  ...options,
})
export const currency = (from: From): Take => ({ take: 'currency', from })
export const state = (
  from: From,
  of: Readonly<Record<string, Value>>,
  code: PlatformFault = 'unknown_state',
): Take => ({
  take: 'state',
  from,
  of,
  code,
})
export const email = (from: From): Take => ({ take: 'email', from })
export const country = (from: From): Take => ({ take: 'country', from })
export const key = (from: From): Take => ({ take: 'key', from })
export const quota = (from: From, unlimited: readonly string[] = ['']): Take => ({
  take: 'quota',
  from,
  unlimited,
})
export const whole = (from: From, parts = 1): Take => ({ take: 'whole', from, parts })
export const flag = (from: From, yes: readonly string[] = ['true', '1']): Take => ({
  take: 'flag',
  from,
  yes,
})
export const to = (entity: string, from: From): Take => ({
  take: 'reference',
  to: entity,
  from,
  optional: false,
})
export const toIfAny = (entity: string, from: From): Take => ({
  take: 'reference',
  to: entity,
  from,
  optional: true,
})
export const when = (from: From, is: readonly string[], then: Take, otherwise: Take = NONE): Take => ({
  take: 'when',
  from,
  is,
  hit: then,
  miss: otherwise,
})

/** The field of the record of a source whose `on` is what `by` is here. */
export const via = (
  source: string,
  on: From,
  by: From,
  ...[get, more = {}]: readonly [get: From, more?: Pick<Via, 'where' | 'pick'>]
): Via => ({ source, on, by, get, ...more })

/** A value of a table of keys and values, such as `postmeta`. */
export const meta =
  (source: string, on: Field) =>
  (name: string, by: From): Via =>
    via(source, on, by, 'meta_value', { where: ['meta_key', name] })

/** The first of some places where there is a text. */
export const firstOf = (...first: readonly From[]): From => ({ first })
export const words = (...words: readonly From[]): From => ({ words })
export const always = (value: string): From => ({ text: value })
