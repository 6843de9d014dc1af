import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Problem } from '../shared/call.ts'
import { fill } from '../shared/language.ts'
import { saidOf } from './doing.tsx'
import { texts } from './texts.ts'

/** Why something is not here, with what to do next. */
export function Failed({ error, again }: { readonly error: unknown; readonly again: () => void }) {
  const problem = error instanceof Problem ? error : null
  return (
    <div className="panel blank" role="alert">
      <p>
        <strong>{texts.failed}</strong>
      </p>
      {problem ? <p className="muted">{saidOf(problem)}</p> : null}
      {problem?.requestId ? (
        <p className="muted">
          <code>{fill(texts.request, { id: problem.requestId })}</code>
        </p>
      ) : null}
      <Button variant="default" onClick={again}>
        {texts.tryAgain}
      </Button>
    </div>
  )
}

interface Missing {
  readonly title: string
  readonly more: string
  /** What is done about it. */
  readonly children?: ReactNode
}

/** What would stand here, and what brings it. */
export function Blank({ title, more, children }: Missing) {
  return (
    <div className="panel blank">
      <p>
        <strong>{title}</strong>
      </p>
      <p className="muted">{more}</p>
      {children}
    </div>
  )
}

interface LoadingLines {
  readonly lines?: number
  /** Whether they are rows, which on a narrow screen are blocks. */
  readonly isOfRows?: boolean
}

export function Loading({ lines = 3, isOfRows = false }: LoadingLines) {
  return (
    <div
      className={isOfRows ? 'panel loading of-rows' : 'panel loading'}
      role="status"
      aria-label={texts.loading}
    >
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} className="skeleton" style={{ width: `${80 - (at % 3) * 20}%` }} />
      ))}
    </div>
  )
}

interface Fact {
  readonly label: string
  readonly value: ReactNode
}

/** Names with what they are, one a line. */
export function Facts({
  title = texts.facts,
  facts,
}: {
  readonly title?: string
  readonly facts: readonly Fact[]
}) {
  return (
    <section className="panel facts">
      <h2>{title}</h2>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ?? texts.none}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
