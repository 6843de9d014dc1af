import { useQuery } from '@tanstack/react-query'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { listenerNames, type Known } from './listener-names.ts'

/** As many as the interface lists at a time; any other one is called by its number. */
const KNOWN = 50

/** What each listener of the product is called; undefined while that is asked for. */
export function useListenerNames(): ((id: string) => string) | undefined {
  const { path } = usePlace()
  const query = { count: KNOWN }
  const { data, isPending } = useQuery({
    queryKey: [`${path}/webhooks.json`, query],
    queryFn: () => ask<{ readonly webhooks: readonly Known[] }>(`${path}/webhooks.json`, query),
    select: ({ webhooks }) => listenerNames(webhooks),
  })
  return isPending ? undefined : (id) => data?.get(id) ?? `#${id}`
}
