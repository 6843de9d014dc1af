import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from '../parts.tsx'
import { Loading } from '../../ui/parts.tsx'
import { ask, type Query } from '../../ui/server.ts'
import type { Way } from '../ways.ts'
import { Rows, type Column } from '../../ui/Rows.tsx'

/** The most rows that a part of a page shows. */
const MOST = 50

interface PartOf<Row> {
  readonly title: string
  readonly path: string
  readonly items: string
  readonly query?: Query
  readonly columns: readonly Column<Row>[]
  readonly wayTo?: (row: Row) => Way
  readonly actions?: (row: Row) => ReactNode
  /** Says that there is none. */
  readonly empty: string
  /** The button that makes the first one. */
  readonly start?: ReactNode
  /** Whether it is not told in pages. */
  readonly isWhole?: boolean
  /** Absent: as many as the interface lists at a time. */
  readonly most?: number
}

/** Rows that belong to what a page is about. */
export function Part<Row extends { readonly id: string }>(part: PartOf<Row>) {
  const query = { ...part.query, count: part.isWhole ? undefined : (part.most ?? MOST) }
  const { data, error, refetch } = useQuery({
    queryKey: [part.path, query],
    queryFn: () => ask<Record<string, readonly Row[]>>(part.path, query),
  })
  const rows = data?.[part.items]
  return (
    <section className="stack">
      <h2>{part.title}</h2>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : rows === undefined ? (
        <Loading lines={2} />
      ) : rows.length === 0 ? (
        <>
          <p className="note muted">{part.empty}</p>
          {part.start}
        </>
      ) : (
        <Rows
          label={part.title}
          columns={part.columns}
          rows={rows}
          {...(part.wayTo && { wayTo: part.wayTo })}
          {...(part.actions && { actions: part.actions })}
        />
      )}
    </section>
  )
}
