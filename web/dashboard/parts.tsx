import { useRef } from 'react'
import { Problem } from '../shared/call.ts'
import { fill } from '../shared/language.ts'
import { CopyButton } from '../ui/Copied.tsx'
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

/** How what the page shows is asked for by a program, with a token of the account in place of the session. */
export function ApiCall({ path, query = {} }: { readonly path: string; readonly query?: Query }) {
  const asked = pathOf(path, query)
  const curl = `curl -H "Authorization: Bearer $KEYWRIGHT_TOKEN" \\\n  '${location.origin}${asked}'`
  return <Folded title={texts.apiCall} shown={`GET ${asked}\n\n${curl}`} copied={curl} />
}

export function RawData({ data }: { readonly data: unknown }) {
  const text = JSON.stringify(data, null, 2)
  return <Folded title={texts.raw} shown={text} copied={text} />
}

interface FoldedText {
  readonly title: string
  readonly shown: string
  /** What of it the button copies. */
  readonly copied: string
}

/** What a program reads, folded away from who does not look for it. */
function Folded({ title, shown, copied }: FoldedText) {
  const place = useRef<HTMLElement>(null)
  return (
    <details className="api-call">
      <summary>{title}</summary>
      <CopyButton text={copied} shown={place} words={texts} what={title} />
      <pre>
        <code ref={place}>{shown}</code>
      </pre>
    </details>
  )
}
