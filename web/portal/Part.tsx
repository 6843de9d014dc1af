import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failed, Loading } from '../ui/parts.tsx'
import { Rows, type Column } from '../ui/Rows.tsx'
import type { Way } from '../ui/way.ts'
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
function useRows<Row>({ path, query, items, isWhole }: PartOf<Row>) {
  return useInfiniteQuery({
    queryKey: [path, query],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset }) => {
      const page = isWhole ? {} : { count: PAGE + 1, ...(offset > 0 && { offset }) }
      return (await ask<Record<string, readonly Row[]>>(path, { ...query, ...page }))[items] ?? []
    },
    getNextPageParam: (last, pages) => (!isWhole && last.length > PAGE ? pages.length * PAGE : undefined),
    select: ({ pages }) => pages.flatMap((page) => (isWhole ? page : page.slice(0, PAGE))),
  })
}

/** A list of one kind with its title, and what stands there while it is asked for, or when there is nothing. */
export function Part<Row extends { readonly id: string }>(part: PartOf<Row>) {
  const { data: rows, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useRows(part)
  if (part.isQuiet && !error && !rows?.length) return null
  return (
    <section className="stack">
      <h2>{part.title}</h2>
      {error ? (
        <Failed error={error} again={() => void refetch()} />
      ) : rows === undefined ? (
        <Loading lines={2} />
      ) : (
        <Drawn part={part} rows={rows} />
      )}
      {hasNextPage ? (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.more}
        </Button>
      ) : null}
    </section>
  )
}

interface DrawnOf<Row> {
  readonly part: PartOf<Row>
  readonly rows: readonly Row[]
}

function Drawn<Row extends { readonly id: string }>({ part, rows }: DrawnOf<Row>) {
  const { title, columns = [], wayTo, actions, draw, empty } = part
  if (rows.length === 0) return <p className="note muted">{empty}</p>
  if (draw) return draw(rows)
  return (
    <Rows
      label={title}
      columns={columns}
      rows={rows}
      {...(wayTo && { wayTo })}
      {...(actions && { actions })}
    />
  )
}
