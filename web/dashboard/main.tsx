import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { Problem } from '../shared/call.ts'
import { Frame } from '../ui/Frame.tsx'
import { makeQueries } from '../ui/queries.ts'
import { isSignedOut } from '../ui/server.ts'
import '../ui/styles.ts'
import '../ui/pages.css'
import { makeRouter } from './router.tsx'
import { sessionQuery, whenSignedIn, whenSignedOut } from './session.ts'
import { goOnWhereOver, lookWhoIsThere } from './signed-out.ts'
import { SignedOut } from './SignedOut.tsx'
import { language } from './texts/texts.ts'

document.documentElement.lang = language

/** A form is told that it was refused once it is known who is signed in. */
async function outWhereSignedOut(error: unknown): Promise<void> {
  if (!(error instanceof Problem) || !isSignedOut(error)) return
  if (queries.getQueryData(sessionQuery.queryKey)) await lookWhoIsThere(queries)
  else await toSignIn()
}

const queries = makeQueries(outWhereSignedOut)
const router = makeRouter(queries)

/** Asks to sign in, and comes back to where the page was. */
async function toSignIn(): Promise<void> {
  const { pathname, href } = router.state.location
  if (pathname === '/sign-in') return
  queries.setQueryData(['session'], null)
  await router.navigate({ to: '/sign-in', search: { back: href } })
}

whenSignedOut(() => void toSignIn())
whenSignedIn(() => void goOnWhereOver(queries))

const root = document.querySelector('#app')
if (!root) throw new Error('The page has no place for the dashboard.')
createRoot(root).render(
  <Frame>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <SignedOut />
    </QueryClientProvider>
  </Frame>,
)
