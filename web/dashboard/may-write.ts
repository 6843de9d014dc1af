import { createContext, useContext } from 'react'
import { fill } from '../shared/language.ts'
import { usePlace } from './place.ts'
import { may } from './session.ts'
import { texts } from './texts/texts.ts'

/** Whether what is below is of the sandbox alone, so that it may be written in test mode. */
export const OfSandbox = createContext(false)

/**
 * Why what a group is about may not be written here, in words; null: it may. In test mode nothing live may but what
 * changes nothing and takes the right to write all the same (`isRead`).
 */
export function useBarred(group: string, isRead = false): string | null {
  const { account, environment } = usePlace()
  const isOfSandbox = useContext(OfSandbox)
  if (!may(account, group, 'write')) return fill(texts.mayNotDo, { role: account.role })
  return environment === 1 && !isOfSandbox && !isRead ? texts.countsLive : null
}
