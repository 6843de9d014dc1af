import { fill } from '../../../shared/language.ts'
import { texts } from '../../texts/texts.ts'

/** On how many sites a license of a price may be active; null: on any number. */
export const sitesText = (count: number | null): string =>
  count === null ? texts.unlimited : count === 1 ? texts.oneSite : fill(texts.sites, { count })
