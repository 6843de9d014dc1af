import type { ReactNode } from 'react'
import { fill } from '../shared/language.ts'
import { usePlace } from './place.ts'
import { may } from './session.ts'
import { texts } from './texts/texts.ts'

/** What a button is given that its person may not press: it says why. */
interface Barred {
  readonly disabled?: true
  readonly title?: string
}

/** A button that changes something of a group: whoever's role may not is told so in its place. */
export function Allowed({
  group,
  isQuiet = false,
  children,
}: {
  readonly group: string
  /** Whether it is said elsewhere on the page why not: a row of a table says it once for all. */
  readonly isQuiet?: boolean
  readonly children: (barred: Barred) => ReactNode
}) {
  const { account } = usePlace()
  if (may(account, group, 'write')) return children({})
  const why = fill(texts.mayNotDo, { role: account.role })
  return (
    <span className="barred">
      {children({ disabled: true, title: why })}
      {isQuiet ? null : <span className="muted">{why}</span>}
    </span>
  )
}
