import { Button } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { Problem } from '../shared/call.ts'
import { fill } from '../shared/language.ts'
import { CopyButton } from '../ui/Copied.tsx'
import { Head, type Heading } from '../ui/Head.tsx'
import { Blank, Failed } from '../ui/parts.tsx'
import { curlOfMaking, curlOfReading, type Making } from './curl.ts'
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
  const curl = curlOfReading(path, query)
  return <Folded title={texts.apiCall} shown={`GET ${pathOf(path, query)}\n\n${curl}`} copied={curl} />
}

interface Empty {
  readonly title: string
  readonly more: string
  /** The call that makes what is missing; absent: no call does. */
  readonly making?: Making | undefined
  /** The button that makes it. */
  readonly children?: ReactNode
}

/** What would stand here, with the button and the call that make it. */
export const Empty = ({ title, more, making, children }: Empty) => (
  <Blank title={title} more={more}>
    {children ? <div className="actions">{children}</div> : null}
    {making ? <MakingCall making={making} /> : null}
  </Blank>
)

/** Stands for the rows of a list that is narrowed to none; `clear` widens it. */
export const NothingFound = ({ clear }: { readonly clear: () => void }) => (
  <div className="panel blank">
    <p>{texts.nothingFound}</p>
    <Button variant="default" onClick={clear}>
      {texts.clear}
    </Button>
  </div>
)

interface Call {
  readonly making: Making
  readonly isOpen?: boolean
}

/** How a program makes it. */
export function MakingCall({ making, isOpen = true }: Call) {
  const curl = curlOfMaking(making)
  return <Folded title={texts.callThatMakes} shown={curl} copied={curl} isOpen={isOpen} />
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
  readonly isOpen?: boolean
}

/** What a program reads, which can be folded away by who does not look for it. */
function Folded({ title, shown, copied, isOpen = false }: FoldedText) {
  const place = useRef<HTMLElement>(null)
  return (
    <details className="api-call" open={isOpen}>
      <summary>{title}</summary>
      <CopyButton text={copied} shown={place} words={texts} what={title} />
      <pre>
        <code ref={place}>{shown}</code>
      </pre>
    </details>
  )
}
