import { csrfValue } from '../../src/http/csrf.ts'
import { hashToken } from '../../src/lib/credentials.ts'
import type { Call } from './client.ts'
import type { World } from './world.ts'

/** The call by somebody who is logged in; one that logs out has a session of its own. */
export function loggedIn({ sessions }: World, kind: 'live' | 'stranger' | 'ended', call: Call): Call {
  const isLast = kind === 'live' && call.path.includes('/logout.json')
  const token = isLast ? sessions.spare.pop() : sessions[kind]
  if (token === undefined) throw new Error('All spare sessions of the world are used: raise SPARE_SESSIONS.')
  return { ...call, headers: { ...call.headers, 'x-keywright-session': token } }
}

/** A call of a page of the portal, with the value that its writes need. */
export const inPortal = ({ ctx }: World, token: string, call: Call): Call => ({
  ...call,
  headers: {
    ...call.headers,
    cookie: `__Host-keywright_portal=${token}`,
    'x-keywright-csrf': csrfValue(ctx, 'portal', hashToken(token)),
  },
})
