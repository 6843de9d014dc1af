import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import type { Import } from '../../../../src/imports/asked/schema.ts'
import { fill } from '../../../shared/language.ts'
import { numberText, Time } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { importTexts } from '../../texts/imports.ts'
import { texts } from '../../texts/texts.ts'
import { Deeds } from './Deeds.tsx'
import { isInHand } from './words.ts'

interface Of {
  readonly found: Import
  readonly path: string
}

/** How an import stands, in a sentence, and what can be done with it. */
export function Outcome({ found, path }: Of) {
  const { state, bad, is_at_work: isAtWork } = found
  useBrought(found)
  return (
    <section className="panel card stack" aria-label={importTexts.progress}>
      <div role="status" className="stack">
        <Sentences found={found} />
      </div>
      {isInHand(found) ? <Progress found={found} /> : null}
      {state === 'checked' && isAtWork && bad === 0 ? <Until found={found} /> : null}
      {state === 'finished' ? <WhatCame found={found} /> : null}
      <Deeds found={found} path={path} />
    </section>
  )
}

/** Products and stores that came stand in the menu without the page being loaded anew. */
function useBrought({ state }: Import) {
  const { account } = usePlace()
  const { refetch } = useQuery({ ...productsQuery(account.developer_id), enabled: false })
  const isOver = state === 'finished' || state === 'undone'
  useEffect(() => {
    if (isOver) void refetch()
  }, [isOver, refetch])
}

const sumOf = ({ kinds }: Import, of: 'add' | 'change' | 'kept' | 'written') =>
  numberText(kinds.reduce((sum, kind) => sum + kind[of], 0))

function Sentences({ found }: { readonly found: Import }) {
  const [said, more] = wordsOf(found)
  return (
    <>
      <p
        className={found.state === 'failed' || (found.state === 'checked' && found.bad > 0) ? 'note bad' : ''}
      >
        {said}
      </p>
      {more === undefined ? null : <p className="muted">{more}</p>}
    </>
  )
}

function wordsOf(found: Import): readonly [said: string, more?: string] {
  const counts = countsOf(found)
  switch (found.state) {
    case 'checking':
      return [checkingWords(found, counts), importTexts.mayLeave]
    case 'checked':
      return found.bad > 0
        ? [fill(importTexts.isBad, counts), importTexts.isBadMore]
        : [
            found.left_out > 0 ? fill(importTexts.isLeftOut, counts) : importTexts.isFine,
            fill(importTexts.wouldBe, counts),
          ]
    case 'running':
      return found.is_at_work
        ? [fill(importTexts.running, counts), importTexts.mayLeave]
        : [importTexts.ofCommandLine]
    case 'canceled':
      return [fill(found.added > 0 ? importTexts.canceled : importTexts.canceledEmpty, counts)]
    default:
      return [fill(importTexts[found.state], counts)]
  }
}

const countsOf = (found: Import) => ({
  rows: numberText(found.rows),
  bad: numberText(found.bad),
  leftOut: numberText(found.left_out),
  same: numberText(found.same),
  added: numberText(found.added),
  changed: numberText(found.changed),
  kept: sumOf(found, 'kept'),
  add: sumOf(found, 'add'),
  change: sumOf(found, 'change'),
  written: sumOf(found, 'written'),
  removed: numberText(found.removed),
  stayed: numberText(found.stayed),
  why: found.error ?? '',
})

const checkingWords = ({ reading, rows }: Import, counts: Record<string, string>): string =>
  reading !== null
    ? fill(importTexts.reading, { product: reading })
    : rows === 0
      ? importTexts.waiting
      : fill(importTexts.checking, counts)

function Progress({ found: { progress } }: { readonly found: Import }) {
  return (
    <div className="progress">
      <progress {...(progress !== null && { value: progress })} max={1} aria-label={importTexts.progress} />
    </div>
  )
}

function Until({ found: { expires_at: end } }: { readonly found: Import }) {
  const [before = '', after = ''] = importTexts.until.split('{time}')
  return (
    <p className="muted">
      {before}
      <Time time={end} />
      {after}
    </p>
  )
}

/** Pages over all that came, by the kinds of its rows. */
const PAGES = [
  ['products', texts.products],
  ['stores', texts.stores],
] as const

function WhatCame({ found: { kinds } }: { readonly found: Import }) {
  const { account } = usePlace()
  const came = PAGES.filter(([page]) => kinds.some(({ kind }) => kind === page))
  if (came.length === 0) return null
  return (
    <p>
      {importTexts.whatCame}:{' '}
      {came.map(([page, label], n): ReactNode => (
        <span key={page}>
          {n === 0 ? '' : ' · '}
          <Link to={`/$account/${page}`} params={{ account: account.developer_id }}>
            {label}
          </Link>
        </span>
      ))}
    </p>
  )
}
