import { useQuery } from '@tanstack/react-query'
import { unitWords, type UnitWords } from '../shared/units.ts'
import { usePlace } from './place.ts'
import { productsQuery } from './products.ts'
import { language } from './texts/texts.ts'

/** The words of what a license counts, of the product that the page is about. */
export function useUnit(): UnitWords {
  const { account, product } = usePlace()
  const { data } = useQuery(productsQuery(account.developer_id))
  return unitWords(language, data?.find(({ id }) => id === product)?.selling_unit_label)
}
