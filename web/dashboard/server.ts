import { given } from '../ui/server.ts'

/** Whether the browser sent the cookie of a session with the page: it is worth asking who is signed in. */
export const mayBeSignedIn = (given as { readonly mayBeSignedIn?: boolean }).mayBeSignedIn ?? true
