import { Problem } from '../shared/call.ts'
import { fill } from '../shared/language.ts'
import { Head, type Heading } from '../ui/Head.tsx'
import { Failed } from '../ui/parts.tsx'
import { usePlace } from './place.ts'
import { pathOf, type Query } from '../ui/server.ts'
import { texts } from './texts/texts.ts'

/** The top of a page of the dashboard; the tab says whether it is of the sandbox. */
export function PageHead(heading: Heading) {
  const { environment } = usePlace()
  const mark = environment === 1 ? `${texts.test} · ` : ''
  return <Head {...heading} tab={`${mark}${heading.title} · ${texts.keywright}`} />
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
