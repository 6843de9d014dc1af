import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { whenBack } from './away.ts'

// What is changed at once is drawn before the next frame; a timer would show it as it was for one.
notifyManager.setScheduler(queueMicrotask)

/** What a page keeps of what it asked for. What failed while the server was gone is asked for again when it is back. */
export function makeQueries(onError: (error: unknown) => Promise<void> | void): QueryClient {
  const queries = new QueryClient({
    // What has no network waits as what nobody answers does, and says so.
    defaultOptions: {
      queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
  })
  whenBack(() => void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' }))
  return queries
}
