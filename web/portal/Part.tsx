import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failed, Loading } from '../ui/parts.tsx'
import { Rows, type Column, type Way } from '../ui/Rows.tsx'
import { ask, type Query } from '../ui/server.ts'
import { texts } from './texts/texts.ts'

const PAGE = 25

interface PartOf<Row> {
  readonly title: string
  readonly path: string
  readonly items: string
  readonly query?: Query
  readonly columns?: readonly Column<Row>[]
  readonly wayTo?: (row: Row) => Way
  readonly actions?: (row: Row) => ReactNode
  /** Draws the rows in the place of a table. */
  readonly draw?: (rows: readonly Row[]) => ReactNode
  readonly empty: string
  /** Whether the list comes whole, and takes no page. */
  readonly isWhole?: true
  /** Whether nothing is shown until there is something. */
  readonly isQuiet?: true
}

/** Rows of one kind, a page more each time that is asked for. One more than a page says whether there are more. */
export function Part<Row extends { readonly id: string }>(part: PartOf<Row>) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [part.path, part.query],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset }) => {
      const page = part.isWhole ? {} : { count: PAGE + 1, ...(offset > 0 && { offset }) }
      const query = { ...part.query, ...page }
      return (await ask<Record<string, readonly Row[]>>(part.path, query))[part.items] ?? []
    },
    getNextPageParam: (last, pages) =>
      !part.isWhole && last.length > PAGE ? pages.length * PAGE : undefined,
  })
  const rows = data?.pages.flatMap((page) => (part.isWhole ? page : page.slice(0, PAGE)))
  if (part.isQuiet && !rows?.length) return null
  return (
    <section className="stack">
      <h2>{part.title}</h2>
      {error ? (
        <Failed error={error} again={() => void refetch()} />
      ) : rows === undefined ? (
        <Loading lines={2} />
      ) : rows.length === 0 ? (
        <p className="note muted">{part.empty}</p>
      ) : part.draw ? (
        part.draw(rows)
      ) : (
        <Rows
          label={part.title}
          columns={part.columns ?? []}
          rows={rows}
          {...(part.wayTo && { wayTo: part.wayTo })}
          {...(part.actions && { actions: part.actions })}
        />
      )}
      {hasNextPage ? (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.more}
        </Button>
      ) : null}
    </section>
  )
}
