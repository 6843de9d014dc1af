import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { Problem } from '../shared/call.ts'
import { Frame } from '../ui/Frame.tsx'
import { makeQueries } from '../ui/queries.ts'
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

const queries = makeQueries(outWhereOver)
const router = makeRouter(queries)

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
