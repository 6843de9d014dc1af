import { countriesIn } from '../shared/countries.ts'
import { language } from './texts/texts.ts'

/** Every country as a choice of a form. */
export const COUNTRIES: readonly (readonly [code: string, name: string])[] = countriesIn(language).map(
  ({ code, name }) => [code, name],
)
