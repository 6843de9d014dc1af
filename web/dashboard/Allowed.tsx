import type { ReactNode } from 'react'
import { useBarred } from './may-write.ts'

/** What a button is given that its person may not press: it says why. */
export interface Barred {
  readonly disabled?: true
  readonly title?: string
}

/** A button that changes something of a group: whoever may not, or not in test mode, is told so in its place. */
export function Allowed({
  group,
  isRead = false,
  isQuiet = false,
  children,
}: {
  readonly group: string
  /** Whether it changes nothing, though it takes the right to. */
  readonly isRead?: boolean
  /** Whether it is said elsewhere on the page why not: a row of a table says it once for all. */
  readonly isQuiet?: boolean
  readonly children: (barred: Barred) => ReactNode
}) {
  const why = useBarred(group, isRead)
  if (why === null) return children({})
  return (
    <span className="barred">
      {children({ disabled: true, title: why })}
      {isQuiet ? null : <span className="muted">{why}</span>}
    </span>
  )
}
