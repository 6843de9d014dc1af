import { useQuery } from '@tanstack/react-query'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { isOwnType } from '../products/own-types.ts'

/** Whether versions of the product can be released in stages; widgets and templates go to everybody at once. */
export function useIsStaged(): boolean {
  const { account, product } = usePlace()
  const { data: products = [] } = useQuery(productsQuery(account.developer_id))
  const found = products.find(({ id }) => id === product)
  return !found || isOwnType(found) || (found.type !== 'widget' && found.type !== 'template')
}
