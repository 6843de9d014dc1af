import type { Money } from './money.ts'
import { fromUtcTime, type UtcTime } from './time.ts'

export interface Share {
  readonly percent: number
}

export interface Moment {
  readonly time: UtcTime
}

/** What every language writes in its own way. */
export type Figure = Money | Share | Moment

export const isFigure = (value: object): value is Figure =>
  'minor' in value || 'percent' in value || 'time' in value

/** A figure as people read it in a language such as `de`: `19,99 €`, `15 %`, `31.01.2026, 10:00:00`. */
export function figureText(figure: Figure, language: string): string {
  if ('minor' in figure) return moneyText(figure, language)
  return 'percent' in figure ? percentText(figure, language) : timeText(figure, language)
}

/** In English without a sign or separator that is read differently elsewhere, as everybody else gets that: `1999.00 EUR`. */
export function moneyText({ minor, currency }: Money, language: string): string {
  const { format, digits } = formatOf(language, currency)
  const units = minor / 10 ** digits
  return isEnglish(language) ? `${units.toFixed(digits)} ${currency.toUpperCase()}` : format.format(units)
}

export const percentText = ({ percent }: Share, language: string): string =>
  isEnglish(language)
    ? `${percent} %`
    : new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 4 }).format(percent / 100)

/** In UTC, which the text around it says. */
const timeText = ({ time }: Moment, language: string): string =>
  isEnglish(language)
    ? time
    : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' }).format(
        fromUtcTime(time),
      )

const isEnglish = (language: string) => language === 'en'

/** How a language writes a currency, and how many decimals that has: two, of yen none. */
function formatOf(language: string, currency: string) {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency })
  return { format, digits: format.resolvedOptions().maximumFractionDigits ?? 0 }
}
