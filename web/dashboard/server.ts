import type { Problem } from '../shared/call.ts'
import { given } from '../ui/server.ts'

/** Whether the browser sent the cookie of a session with the page: it is worth asking who is signed in. */
export const mayBeSignedIn = (given as { readonly mayBeSignedIn?: boolean }).mayBeSignedIn ?? true

const OVER = new Set(['authorization_missing', 'session_ended', 'csrf_required'])

/** Whether the session is over; a wrong password or code in a form is 401 too. */
export const isSignedOut = ({ status, code }: Problem): boolean => status === 401 && OVER.has(code)
