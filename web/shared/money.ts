/** An amount as people of a language write it; `amount` is a decimal of the currency. */
export const money = (amount: number, currency: string, language: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency: currency.toUpperCase() })
    .format(amount)
    .replace(/^-/, '−')

/** A day as people of a language write it; `time` is `2026-01-31 10:00:00`, UTC. */
export const day = (time: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${time.replace(' ', 'T')}Z`),
  )
