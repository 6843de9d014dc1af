import { queryOptions } from '@tanstack/react-query'
import type { PersonSession } from '../../src/accounts/developers/schema.ts'
import { Problem } from '../shared/call.ts'
import { keepChosen } from './chosen.ts'
import { mayBeSignedIn } from './server.ts'
import { ask, send, setCsrf } from '../ui/server.ts'

export type Account = PersonSession['accounts'][number]
type Right = Account['rights'][string]

let isWorthAsking = mayBeSignedIn

/** Who is signed in; null: nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ client, queryKey }): Promise<PersonSession | null> => {
    if (!isWorthAsking) return null
    const session = await askSession()
    const isOpen = Boolean(client.getQueryData(queryKey))
    if (session) {
      setCsrf(session.csrf_token)
      // What is typed in a page that is open is not lost for its language.
      if (keepChosen(session.person) && !isOpen) return loadAnew()
    }
    // A page that is open stays with its person, who is asked to sign in again over it.
    else if (isOpen) throw new Problem(ENDED)
    return session
  },
})

/** Nothing more is shown of this page. */
function loadAnew(): Promise<never> {
  location.reload()
  return new Promise(() => undefined)
}

const ENDED = { status: 401, code: 'session_ended', message: '' } as const

/** Asks who is signed in; null: nobody is. */
export async function askSession(): Promise<PersonSession | null> {
  try {
    return await ask<PersonSession>('/session.json')
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null
    throw error
  }
}

interface Credentials {
  readonly email: string
  readonly password: string
  readonly remember_me: boolean
  readonly code?: string
  readonly backup_code?: string
}

/** Signs in, by a second factor too where one is on. */
export async function signIn(body: Credentials): Promise<void> {
  await send({ method: 'POST', path: '/login.json', body })
  isWorthAsking = true
  signedIn.postMessage('')
}

/** Tells the other tabs of this browser that somebody is signed in again. */
const signedIn = new BroadcastChannel('keywright-signed-in')

/** Does something when somebody has signed in in another tab of this browser. */
export const whenSignedIn = (act: () => void): void => {
  signedIn.onmessage = act
}

/** Tells the other tabs of this browser that nobody is signed in any more. */
const tabs = new BroadcastChannel('keywright-signed-out')

export async function signOut(): Promise<void> {
  await send({ method: 'POST', path: '/logout.json' })
  tabs.postMessage('')
}

/** Does something when another tab of this browser has signed out. */
export const whenSignedOut = (act: () => void): void => {
  tabs.onmessage = act
}

/** Whether an account lets its person read or write what a group of operations is about. */
export function may({ rights }: Account, group: string, way: Exclude<Right, 'none'>): boolean {
  const right = rights[group]
  return right === 'write' || right === way
}
