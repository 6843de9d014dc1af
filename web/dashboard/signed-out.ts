import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { PersonSession } from '../../src/accounts/developers/schema.ts'
import { askSession, sessionQuery } from './session.ts'
import { setCsrf } from '../ui/server.ts'

let isOver = false
let isLooking = false
let isLeft = false
const heard = new Set<() => void>()

const listen = (hear: () => void) => {
  heard.add(hear)
  return () => heard.delete(hear)
}

function setOver(is: boolean): void {
  isOver = is
  for (const hear of heard) hear()
}

/** Whether the session of the page that is open has ended, so that its person is asked to sign in over it. */
export const useIsOver = (): boolean => useSyncExternalStore(listen, () => isOver)

/** Keys that what is open below would take: Escape closes a form, and shortcuts lead away from it. */
const isForBelow = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
  key === 'Escape' ||
  ctrlKey ||
  metaKey ||
  (key.length === 1 && key !== ' ' && !(target instanceof HTMLInputElement))

// Before whatever is opened later listens: it takes such keys wherever the focus is.
window.addEventListener(
  'keydown',
  (event) => {
    if (isOver && isForBelow(event)) event.stopImmediatePropagation()
  },
  { capture: true },
)

/** Whether the page is about to be loaded anew for somebody else, who is asked nothing about what was typed. */
export const isForAnother = (): boolean => isLeft

/**
 * Looks who is signed in after the page was refused: nobody is asked to sign in where the same person has done so in
 * another tab.
 */
export async function lookWhoIsThere(queries: QueryClient): Promise<void> {
  if (isOver || isLooking) return
  isLooking = true
  const now = await askSession().catch(() => undefined)
  isLooking = false
  if (now === null) setOver(true)
  else if (now !== undefined) goOn(queries, now)
}

/** Goes on with what is open after somebody has signed in over it: for another person the page is loaded anew. */
export async function goOnSignedIn(queries: QueryClient): Promise<void> {
  const now = await askSession()
  if (now !== null) goOn(queries, now)
}

/** Asks nobody any more where the person has signed in in another tab. */
export async function goOnWhereOver(queries: QueryClient): Promise<void> {
  if (isOver) await goOnSignedIn(queries)
}

function goOn(queries: QueryClient, now: PersonSession): void {
  const before = queries.getQueryData(sessionQuery.queryKey)
  if (!before || reachOf(before) !== reachOf(now)) {
    isLeft = true
    location.reload()
    return
  }
  const isNew = isOver || before.csrf_token !== now.csrf_token
  setCsrf(now.csrf_token)
  queries.setQueryData(sessionQuery.queryKey, now)
  setOver(false)
  if (isNew) void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
}

/** Who it is, with the accounts that are open. */
const reachOf = ({ person, accounts }: PersonSession): string =>
  [person.id, ...accounts.map(({ developer_id: id, role }) => `${id} ${role}`)].join(', ')
