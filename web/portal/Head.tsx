import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { texts } from './texts/texts.ts'

interface Heading {
  readonly title: string
  readonly state?: ReactNode
  readonly actions?: ReactNode
}

/** Whether a page was shown before: the first one leaves the focus where the browser has it. */
let isLater = false

/** The top of a page: it names the tab, and has the focus after a change of the page, so that it is read next. */
export function Head({ title, state, actions }: Heading) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (isLater) heading.current?.focus()
    isLater = true
  }, [])
  useEffect(() => {
    document.title = `${title} · ${texts.portal}`
  }, [title])
  return (
    <header className="page-head">
      <div className="page-title">
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
        {state}
      </div>
      {actions === undefined ? null : <div className="actions">{actions}</div>}
    </header>
  )
}
