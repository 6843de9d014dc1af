import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { Problem } from '../shared/call.ts'
import { whenBack } from '../ui/away.ts'
import { Frame } from '../ui/Frame.tsx'
import '../ui/styles.ts'
import '../ui/pages.css'
import './portal.css'
import { makeRouter } from './router.tsx'
import { language } from './texts/texts.ts'

document.documentElement.lang = language

/** Who only looks as the customer, or asks for what the seller has switched off, is still in after that is refused. */
const STILL_IN = ['view_only', 'off_in_portal']

const isOver = (error: unknown) =>
  error instanceof Problem && error.status === 401 && !STILL_IN.includes(error.code)

const outWhereOver = (error: unknown) => {
  if (isOver(error)) void toAsk()
}

const queries = new QueryClient({
  // What has no network waits as what nobody answers does, and says so.
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: outWhereOver }),
  mutationCache: new MutationCache({ onError: outWhereOver }),
})
const router = makeRouter(queries)
whenBack(() => void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' }))

/** A visit that is over asks for another link. */
async function toAsk(): Promise<void> {
  queries.setQueryData(['session'], null)
  if (router.state.location.pathname !== '/') await router.navigate({ to: '/' })
}

const root = document.querySelector('#app')
if (!root) throw new Error('The page has no place for the portal.')
createRoot(root).render(
  <Frame>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </Frame>,
)
