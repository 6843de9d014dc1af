import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Import, ReportLine } from '../../../../src/imports/asked/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Loading } from '../../../ui/parts.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { ask } from '../../../ui/server.ts'
import { Failure } from '../../parts.tsx'
import { importTexts } from '../../texts/imports.ts'
import { texts } from '../../texts/texts.ts'
import { downloadReport } from './download-report.ts'

interface Of {
  readonly found: Import
  readonly path: string
}

const PAGE = 50
/** In which what was found last is told. */
const STATES: ReadonlySet<string> = new Set(['checked', 'undone', 'canceled'])

const COLUMNS: readonly Column<ReportLine>[] = [
  { label: importTexts.where, show: whereOf },
  { label: importTexts.kind, show: ({ kind }) => <code>{kind}</code> },
  { label: importTexts.field, show: ({ field }) => (field === null ? texts.none : <code>{field}</code>) },
  { label: importTexts.what, show: ({ code, message }) => importTexts.keptHere[code] ?? message },
]

function whereOf({ file, kind, line, key }: ReportLine): string {
  if (line === null) return key ?? texts.none
  return fill(key === null ? importTexts.line : importTexts.lineOfRow, {
    file: file ?? kind,
    line,
    key: key ?? '',
  })
}

/** What is wrong with rows, which stay as they were changed here, or what undoing has left; nothing where there is none. */
export function Report({ found, path }: Of) {
  const { state, bad, left_out: leftOut, stayed, kinds } = found
  const isOfUndo = state === 'undone'
  const wrong = bad + leftOut
  const kept = kinds.reduce((sum, one) => sum + one.kept, 0)
  const [kind, setKind] = useState<string | undefined>()
  const isTold = STATES.has(state) || state === 'finished'
  if ((isOfUndo ? stayed : wrong + kept) === 0 || !isTold) return null
  const named = kinds.filter((one) => one.bad + one.kept > 0).map((one) => one.kind)
  const title = titleOf({ isOfUndo, wrong, kept })
  return (
    <section className="stack">
      <div className="feed-head">
        <h2>{title}</h2>
        <Button variant="default" size="compact-sm" onClick={() => void downloadReport(found.id, path)}>
          {importTexts.download}
        </Button>
      </div>
      {named.length < 2 || isOfUndo ? null : (
        <div role="group" aria-label={importTexts.kind} className="chips">
          {[undefined, ...named].map((one) => (
            <button key={one ?? ''} type="button" aria-pressed={kind === one} onClick={() => setKind(one)}>
              {one ?? importTexts.allKinds}
            </button>
          ))}
        </div>
      )}
      <Lines key={kind ?? ''} kind={kind} path={`${path}/report.json`} title={title} />
    </section>
  )
}

function titleOf({
  isOfUndo,
  wrong,
  kept,
}: {
  readonly isOfUndo: boolean
  readonly wrong: number
  readonly kept: number
}): string {
  if (isOfUndo) return importTexts.reportOfUndo
  if (wrong === 0) return importTexts.reportOfKept
  return kept === 0 ? importTexts.report : importTexts.reportOfBoth
}

function Lines({
  kind,
  path,
  title,
}: {
  readonly kind: string | undefined
  readonly path: string
  readonly title: string
}) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [path, kind],
    initialPageParam: 0,
    queryFn: ({ pageParam: offset }) =>
      ask<{ readonly report: readonly ReportLine[] }>(path, { kind, count: PAGE, offset }),
    getNextPageParam: ({ report }, pages) => (report.length < PAGE ? null : pages.length * PAGE),
  })
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return <Loading lines={4} />
  return (
    <>
      <Rows label={title} columns={COLUMNS} rows={data.pages.flatMap(({ report }) => report)} />
      {hasNextPage ? (
        <div>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {importTexts.more}
          </Button>
        </div>
      ) : null}
    </>
  )
}
