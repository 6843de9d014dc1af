import type { PlatformFault } from '../codes.ts'
import { isTimeZone, timesIn } from '../../lib/zoned-time.ts'
import { CURRENCIES } from '../../lib/money.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'
import type { Written } from './map.ts'

/** A value of a platform that is none here: a code, and words that go on after the name of a column. */
export class Unfit extends Error {
  readonly code: PlatformFault

  constructor(code: PlatformFault, message: string) {
    super(message)
    this.code = code
  }
}

/** Currencies without hundredths, and with thousandths (ISO 4217); any other has hundredths. */
const WHOLE = new Set('bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf'.split(' '))
const IN_THOUSANDTHS = new Set('bhd iqd jod kwd lyd omr tnd'.split(' '))
const exponentOf = (currency: string) => (WHOLE.has(currency) ? 0 : IN_THOUSANDTHS.has(currency) ? 3 : 2)

/** A currency in lower case. `unknown_currency` where nothing is sold in it here. */
export function currencyOf(text: string): string {
  const currency = text.toLowerCase()
  if ((CURRENCIES as readonly string[]).includes(currency)) return currency
  throw new Unfit('unknown_currency', `is ${text || 'empty'}, and this server has ${CURRENCIES.join(', ')}`)
}

const AMOUNT = /^(-?)(\d{1,13})(?:\.(\d{1,12}))?$/

/**
 * An amount in hundredths of its currency: `999` of minor units, `9.990000000` of decimals. Half a hundredth is rounded
 * away from zero. `not_money` for anything else.
 */
export function hundredthsOf(text: string, currency: string, written: 'minor' | 'decimal'): number {
  const [, sign, whole = '', fraction = ''] = AMOUNT.exec(text) ?? []
  if (sign === undefined) throw new Unfit('not_money', `is no amount: ${text.slice(0, 40)}`)
  const places = written === 'minor' ? exponentOf(currency.toLowerCase()) : 0
  const digits = BigInt(whole + fraction.padEnd(12, '0'))
  // Of 10^-12 of what the amount is written in.
  const unit = 10n ** BigInt(12 + places - 2)
  const amount = Number((digits * 2n + unit) / (unit * 2n))
  return sign === '-' ? 0 - amount : amount
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z| ?UTC|[+-]\d\d:?\d\d)?)?$/

/** A time in UTC, and null of none. `impossible_time` for what is no day or hour, or has no zone where it should. */
export function timeOf(text: string, written: Written, zone: string): UtcTime | null {
  if (isNone(text)) return null
  if (written === 'seconds') return ofSeconds(text)
  const { local, offset } = partsOf(text)
  const hasNoZone = offset === '' && text.length > 10
  if (local === null || (written === 'zoned' && hasNoZone)) throw impossible(text)
  if (written === 'shop' && offset === '') return ofZone(local, zone)
  return toUtcTime(fromUtcTime(local) - offsetMs(offset))
}

function partsOf(text: string): { readonly local: UtcTime | null; readonly offset: string } {
  const [, day, minutes = '00:00', seconds = ':00', offset = ''] = ISO.exec(text) ?? []
  if (day === undefined) return { local: null, offset }
  return { local: parseTimeText(`${day} ${minutes}${seconds}`, 'first second'), offset }
}

const isNone = (text: string) => text === '' || text === '0' || text.startsWith('0000-00-00')
const impossible = (text: string) => new Unfit('impossible_time', `is no time: ${text.slice(0, 40)}`)

function ofSeconds(text: string): UtcTime {
  if (/^\d{1,11}$/.test(text)) return toUtcTime(Number(text) * 1_000)
  throw impossible(text)
}

function offsetMs(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? []
  const ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? 0 - ms : ms
}

/** The time at which the clocks of a zone show another one; of an hour that they show twice the first. */
function ofZone(local: UtcTime, zone: string): UtcTime {
  if (!isTimeZone(zone)) return local
  const times = timesIn(zone)
  const wanted = fromUtcTime(local)
  const shownAt = (ms: number) => fromUtcTime(times.shown(toUtcTime(ms)) as UtcTime)
  const about = wanted - (shownAt(wanted) - wanted)
  return toUtcTime(about - (shownAt(about) - wanted))
}
