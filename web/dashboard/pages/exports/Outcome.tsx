import { Button, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { Export } from '../../../../src/lists/exports/schema.ts'
import { fill } from '../../../shared/language.ts'
import { State, Time, numberText } from '../../format.tsx'
import { isUnderWay } from '../../lists/under-way.ts'
import { listTexts } from '../../texts/lists.ts'
import { language, texts } from '../../texts/texts.ts'
import { wholeTexts } from '../../texts/whole.ts'
import { DownloadAccount } from './DownloadAccount.tsx'
import { TONES } from './tones.ts'

interface Of {
  readonly of: Export
  /** The button that begins another one. */
  readonly begin: ReactNode
}

/** How the last export of the account stands, in a sentence, and what can be done with it. */
export function Outcome({ of, begin }: Of) {
  const [isLoading, setLoading] = useState(false)
  const { state, format, created, expires_at: end } = of
  return (
    <>
      <section className="panel facts form" aria-label={wholeTexts.title}>
        <div role="status" className="stack">
          <Said of={of} />
        </div>
        {isUnderWay(of) ? <Progress of={of} /> : null}
        <dl>
          <Fact name={texts.state}>
            <State word={listTexts.states[state]} tone={TONES[state]} />
          </Fact>
          <Fact name={wholeTexts.format}>{wholeTexts[format]}</Fact>
          <Fact name={wholeTexts.asked}>
            <Time time={created} />
          </Fact>
          {state === 'done' ? (
            <Fact name={wholeTexts.until}>
              <Time time={end} />
            </Fact>
          ) : null}
        </dl>
        {isUnderWay(of) ? null : (
          <Group>
            {state === 'done' ? (
              <Button onClick={() => setLoading(true)}>{wholeTexts.download}</Button>
            ) : null}
            {begin}
          </Group>
        )}
      </section>
      {state === 'done' ? (
        <section className="stack">
          <h2>{wholeTexts.imports}</h2>
          <p className="muted">{wholeTexts.importsMore}</p>
        </section>
      ) : null}
      {isLoading ? <DownloadAccount id={of.id} close={() => setLoading(false)} /> : null}
    </>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function Said({ of }: { readonly of: Export }) {
  const { state, error, rows, size, progress } = of
  const counts = { rows: numberText(rows), size: sizeText(size ?? 0), why: error ?? '' }
  if (state === 'failed') return <p className="note bad">{fill(wholeTexts.failed, counts)}</p>
  if (!isUnderWay(of)) return <p>{fill(wholeTexts[state === 'done' ? 'written' : 'expired'], counts)}</p>
  const said = state === 'waiting' ? 'waits' : progress === 1 ? 'packing' : 'soFar'
  return (
    <>
      <p className="number">{fill(wholeTexts[said], counts)}</p>
      <p className="muted">{wholeTexts.mayLeave}</p>
    </>
  )
}

const Progress = ({ of: { progress } }: { readonly of: Export }) => (
  <div className="progress">
    <progress value={progress} max={1} aria-label={listTexts.progress} />
  </div>
)

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Bytes in the largest unit that has at least one. */
function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const shape = { style: 'unit', unit: UNITS[power] ?? 'byte', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, shape).format(bytes / 1000 ** power)
}
