import type { UnitWords } from '../../../shared/units.ts'
import { texts } from '../../texts/texts.ts'

/** How many a license of a price may be active on, with the unit of its product; null: any number. */
export const sitesText = (count: number | null, { one, many }: UnitWords): string =>
  count === null ? texts.unlimited : `${count} ${count === 1 ? one : many}`
