import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'

export interface Heading {
  readonly title: string
  readonly state?: ReactNode
  readonly about?: ReactNode
  readonly actions?: ReactNode
}

/** Whether a page was shown before: the first one leaves the focus where the browser has it. */
let isLater = false

/** The top of a page: it names the tab, and has the focus after a change of the page, so that it is read next. */
export function Head({ title, tab, state, about, actions }: Heading & { readonly tab: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (isLater) heading.current?.focus()
    isLater = true
  }, [])
  useEffect(() => {
    document.title = tab
  }, [tab])
  return (
    <header className="page-head">
      <div>
        <div className="page-title">
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {state}
        </div>
        {about === undefined ? null : <p className="muted">{about}</p>}
      </div>
      {actions === undefined ? null : <div className="actions">{actions}</div>}
    </header>
  )
}
