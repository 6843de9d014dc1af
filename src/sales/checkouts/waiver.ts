import { inLanguage } from '../../lib/in-language.ts'

interface Waiver {
  readonly language: string
  readonly text: string
}

/**
 * What a consumer agrees to who is given a download before the time is over in which a purchase can be withdrawn from
 * (article 16 (m) of directive 2011/83/EU), in each language that there are texts in.
 */
export const WAIVER: readonly [Waiver, ...Waiver[]] = [
  {
    language: 'en',
    text: 'I agree that I am given access at once, and know that I lose my right to withdraw from the purchase with that.',
  },
  {
    language: 'de',
    text: 'Ich stimme zu, dass ich sofort Zugang erhalte, und weiß, dass ich dadurch mein Widerrufsrecht verliere.',
  },
]

/** The text for who reads a language such as `de` or `de_AT`; English where it is not known or there is none in it. */
export const waiverIn = (language: string | null): string => inLanguage(WAIVER, language).text
