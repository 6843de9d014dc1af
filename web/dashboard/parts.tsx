import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Problem } from '../shared/call.ts'
import { fill } from '../shared/language.ts'
import { Failed } from '../ui/parts.tsx'
import { usePlace } from './place.ts'
import { pathOf, type Query } from '../ui/server.ts'
import { texts } from './texts/texts.ts'

interface Heading {
  readonly title: string
  readonly state?: ReactNode
  readonly about?: ReactNode
  readonly actions?: ReactNode
}

/** Whether a page was shown before: the first one leaves the focus where the browser has it. */
let isLater = false

/** The top of a page: it names the tab, and has the focus after a change of the page, so that it is read next. */
export function PageHead({ title, state, about, actions }: Heading) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { environment } = usePlace()
  useLayoutEffect(() => {
    if (isLater) heading.current?.focus()
    isLater = true
  }, [])
  useEffect(() => {
    document.title = `${environment === 1 ? `${texts.test} · ` : ''}${title} · ${texts.keywright}`
  }, [title, environment])
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

/** Why something is not here, with what to do next. */
export function Failure({ error, again }: { readonly error: unknown; readonly again: () => void }) {
  const { account } = usePlace()
  const problem = error instanceof Problem ? error : null
  if (problem?.code === 'role_not_allowed') {
    return (
      <div className="panel blank">
        <p>{fill(texts.mayNot, { role: account.role })}</p>
      </div>
    )
  }
  return <Failed error={error} again={again} />
}

/** How what the page shows is asked for by a program, with a token of the product or account in place of the session. */
export function ApiCall({ path, query = {} }: { readonly path: string; readonly query?: Query }) {
  const ofProduct = path.replace(/^\/developers\/\d+(?=\/products\/\d)/, '')
  const whole = `${location.origin}${pathOf(ofProduct, query)}`
  return (
    <details className="api-call">
      <summary>{texts.apiCall}</summary>
      <pre>
        <code>{`GET ${pathOf(ofProduct, query)}\n\ncurl -H "Authorization: Bearer $KEYWRIGHT_TOKEN" \\\n  '${whole}'`}</code>
      </pre>
    </details>
  )
}

export function RawData({ data }: { readonly data: unknown }) {
  return (
    <details className="api-call">
      <summary>{texts.raw}</summary>
      <pre>
        <code>{JSON.stringify(data, null, 2)}</code>
      </pre>
    </details>
  )
}
