import { isCountry } from '../../lib/countries.ts'
import { isEmail } from '../../lib/formats.ts'
import { addMonths } from '../../lib/periods.ts'
import { slugOf } from '../../lib/slug.ts'
import type { Value } from '../kinds/column.ts'
import { currencyOf, hundredthsOf, timeOf, Unfit } from './convert.ts'
import type { Found } from './found.ts'
import type { From, Take } from './map.ts'
import type { Given } from './read-records.ts'

/** What a value is read from. */
export interface Taking {
  readonly found: Found
  readonly given: Given
  /** Of the shop. */
  readonly zone: string
  readonly idOf: (entity: string, id: string) => number
}

type Of<Name extends Take['take']> = Extract<Take, { readonly take: Name }>

/** The value that a record has for a column. `Unfit` where it has one that cannot be taken. */
export function valueOf(taking: Taking, take: Take): Value {
  switch (take.take) {
    case 'fixed':
      return take.value
    case 'when':
      return valueOf(taking, take.is.includes(textOf(taking, take.from)) ? take.hit : take.miss)
    case 'later':
      return laterOf(taking, take)
    case 'money':
      return moneyOf(taking, take)
    case 'reference':
      return referenceOf(taking, take)
    default:
      return ofOne(taking, take)
  }
}

type OfOne = Plain | Of<'time' | 'matching' | 'country' | 'text' | 'slug' | 'name'>

/** What is read from one place, or from another where that is empty. */
function ofOne(taking: Taking, take: OfOne): Value {
  switch (take.take) {
    case 'time':
      return (
        timeOf(textOf(taking, take.from), take.written, taking.zone) ??
        timeOf(otherwise(taking, take.otherwise), take.written, taking.zone)
      )
    case 'matching':
      return take.form.test(textOf(taking, take.from)) ? textOf(taking, take.from) : null
    case 'country':
      return countryOf(textOf(taking, take.from))
    case 'text':
    case 'slug':
    case 'name':
      return wordsOf(taking, take)
    default:
      return plainOf(textOf(taking, take.from), take)
  }
}

const countryOf = (code: string): Value => (isCountry(code) ? code.toUpperCase() : null)

function laterOf(taking: Taking, { from, written, months }: Of<'later'>): Value {
  const time = timeOf(textOf(taking, from), written, taking.zone)
  return time === null ? null : addMonths(time, Number(valueOf(taking, months)))
}

function referenceOf(taking: Taking, { from, to }: Of<'reference'>): Value {
  const id = textOf(taking, from)
  return id === '' || id === '0' ? null : taking.idOf(to, id)
}

const textOf = ({ found, given }: Taking, from: From) => found.text(given, from)
const otherwise = (taking: Taking, from: From | undefined) => (from === undefined ? '' : textOf(taking, from))

function wordsOf(taking: Taking, take: Of<'text'> | Of<'slug'> | Of<'name'>): Value {
  const text = textOf(taking, take.from)
  if (take.take === 'name') {
    if (take.part === 'whole') return text.slice(0, 500)
    const [first = '', ...rest] = text.split(/\s+/)
    return (take.part === 'first' ? first : rest.join(' ')).slice(0, 500)
  }
  const given = take.take === 'slug' ? slugOf(text) : text
  const found = given || otherwise(taking, take.otherwise)
  return found === '' ? null : found.slice(0, take.take === 'text' ? take.max : 100)
}

function moneyOf(taking: Taking, take: Of<'money'>): Value {
  const { found, given } = taking
  const currency = textOf(taking, take.currency)
  const texts = found.all(given, take.from).filter((text) => text !== '')
  if (texts.length === 0) return take.otherwise ?? null
  const amounts = texts.map((text) => hundredthsOf(text, currency, take.written))
  const less = take.less === undefined ? '' : textOf(taking, take.less)
  const off = less === '' ? 0 : hundredthsOf(less, currency, take.lessWritten ?? take.written)
  const plus = take.plus === undefined ? '' : textOf(taking, take.plus)
  const more = plus === '' ? 0 : hundredthsOf(plus, currency, take.written)
  const sum = amounts.reduce((all, amount) => all + amount, 0) - off + more
  return take.isGivenBack ? 0 - sum : sum
}

type Plain = Of<'currency' | 'state' | 'email' | 'key' | 'quota' | 'whole' | 'flag'>

function plainOf(text: string, take: Plain): Value {
  switch (take.take) {
    case 'currency':
      return currencyOf(text)
    case 'state':
      return stateOf(text, take)
    case 'email':
      if (isEmail(text)) return text
      throw new Unfit('no_email', `is no address: ${text.slice(0, 80)}`)
    case 'key':
      if (text !== '') return text
      throw new Unfit('no_key', 'is empty')
    case 'quota':
      return take.unlimited.includes(text) ? null : wholeOf(text)
    case 'whole':
      return text === '' ? null : wholeOf(text, take.parts)
    case 'flag':
      return take.yes.includes(text)
  }
}

function wholeOf(text: string, parts = 1): number {
  const [, digits] = /^(\d{1,12})(?:\.0+)?$/.exec(text) ?? []
  if (digits === undefined || Number(digits) % parts !== 0)
    throw new Unfit('not_whole', `is no whole number: ${text.slice(0, 40)}`)
  return Number(digits) / parts
}

function stateOf(text: string, { of, code }: Of<'state'>): Value {
  const found = Object.hasOwn(of, text) ? of[text] : undefined
  if (found !== undefined) return found
  throw new Unfit(code, `is ${text.slice(0, 40) || 'empty'}, which is not known`)
}
