import { queryOptions, useQuery } from '@tanstack/react-query'
import type { PortalSession } from '../../src/people/portal/portal-session-schema.ts'
import { Problem } from '../shared/call.ts'
import { ask, given, send, setCsrf } from '../ui/server.ts'
import { endView, showAsViewed, showIn } from './texts/texts.ts'

export type { PortalSession }

/** Where the page is that asks for the address: a product or a store; null: nobody has said it. */
export interface Place {
  readonly product_id?: string
  readonly store_id?: string
  readonly title: string
  readonly icon: string | null
  readonly look: PortalSession['products'][number]['look']
}

const { isIn = true, place = null } = given as { readonly isIn?: boolean; readonly place?: Place | null }

export { place }

/** Who is in the portal; null: nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async (): Promise<PortalSession | null> => {
    if (!isIn) return outside()
    try {
      const session = await ask<PortalSession>('/portal/session.json')
      setCsrf(session.csrf_token)
      const show = session.is_view_only ? showAsViewed : showIn
      show(session.user.language)
      return session
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return outside()
      throw error
    }
  },
})

function outside(): null {
  endView()
  return null
}

/** Who is in the portal. Only below a page that has looked. */
export function useVisit(): PortalSession {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('This page is below one that looked who is in.')
  return data
}

/** Ends the visit here, or every visit of the user. */
export const leave = (everywhere: boolean): Promise<unknown> =>
  send({ method: 'POST', path: '/portal/logout.json', body: { everywhere } })
