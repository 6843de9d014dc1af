import { useQuery } from '@tanstack/react-query'
import { usePlace } from '../../place.ts'
import { allOf } from '../../products.ts'
import { listenerNames, type Known } from './listener-names.ts'

/** What each listener of the product is called; undefined while that is asked for. */
export function useListenerNames(): ((id: string) => string) | undefined {
  const { path } = usePlace()
  const { data, isPending } = useQuery({
    // Read again with the list of them.
    queryKey: [`${path}/webhooks.json`, 'names'],
    queryFn: () => allOf<Known>(`${path}/webhooks.json`, 'webhooks'),
    select: listenerNames,
  })
  return isPending ? undefined : (id) => data?.get(id) ?? `#${id}`
}
