import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Making } from '../curl.ts'
import { OfSandbox } from '../may-write.ts'
import { ApiCall, Empty, Failure, NothingFound, PageHead } from '../parts.tsx'
import { Loading } from '../../ui/parts.tsx'
import { ask, type Query } from '../../ui/server.ts'
import type { Way } from '../ways.ts'
import { useChosen, type ManyOf } from './Choosing.tsx'
import { Exporting } from './Exporting.tsx'
import { useNarrow, useNarrowed } from './narrowed.ts'
import { Narrowing, type Narrowed } from './Narrowing.tsx'
import { News } from './News.tsx'
import { Paging } from './Paging.tsx'
import { Rows, type Column } from '../../ui/Rows.tsx'

/** How often a list is asked for whose rows change of themselves. */
const AGAIN_MS = 2_000
/** Rows of a page. One more is asked for, which says whether there is a next one. */
const PAGE = 25

/** Rows that a list is drawn for before it is there. */
const EXPECTED = 8

interface ListPage<Row> extends Narrowed {
  readonly about: string
  readonly actions?: ReactNode
  /** The button that makes a row: beside the title, and in the middle of the page where there is none. */
  readonly create?: ReactNode
  /** What leads to where one comes from, where there is none and no button makes one. */
  readonly start?: ReactNode
  /** Where the rows come from, and under which name they stand in the reply. */
  readonly path: string
  readonly items: string
  /** Beside `search` and `filter`, or in their place where the operation takes those by other names. */
  readonly query?: Query
  readonly columns: readonly Column<Row>[]
  readonly wayTo?: (row: Row) => Way
  /** What is done with a row, at its end. */
  readonly rowActions?: (row: Row) => ReactNode
  readonly empty: readonly [title: string, more: string]
  /** The call that makes a row, at the address of the list unless it has another; null: no call does. */
  readonly making: (Omit<Making, 'path'> & Partial<Making>) | null
  /** As many rows as it has as a rule, where something stands below it. */
  readonly expected?: number
  /** What stands below it, once it is there, so that it does not move. */
  readonly below?: ReactNode
  /** The types of events that bring a row, `all` for each; absent: the list does not say what has come. */
  readonly news?: readonly string[] | 'all'
  /** What many rows at once are, and whose right it takes to do something to them; absent: nothing is. */
  readonly bulk?: ManyOf
  /** Whether a row changes of itself: the list is asked for again meanwhile. */
  readonly goesOn?: (row: Row) => boolean
}

/** A page of rows: what it shows is in its address, so that it can be sent to somebody, and Back undoes one step. */
export function List<Row extends { readonly id: string }>(list: ListPage<Row>) {
  const { q, filter, sort, from, to, page = 1 } = useNarrowed()
  const narrowed = { search: q, filter, sort, from, to }
  const query = { ...narrowed, ...list.query, count: PAGE + 1, offset: (page - 1) * PAGE || undefined }
  const { data, error, refetch, isPending } = useQuery({
    queryKey: [list.path, query],
    queryFn: () => ask<Record<string, readonly Row[]>>(list.path, query),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      list.goesOn && state.data?.[list.items]?.some(list.goesOn) ? AGAIN_MS : false,
  })
  const found = data?.[list.items] ?? []
  const isNarrowed = [q, filter, from, to].some((one) => one !== undefined)
  const isEmpty = !isPending && !error && found.length === 0 && !isNarrowed
  return (
    <>
      <ListHead list={list} query={query} isExported={!error && !isEmpty} isEmpty={isEmpty} />
      <Narrowing list={list} />
      <News path={list.path} types={list.news} />
      <Listed
        list={list}
        rows={found.slice(0, PAGE)}
        query={query}
        isPending={isPending}
        error={error}
        again={() => void refetch()}
        isNarrowed={isNarrowed}
      />
      {error || found.length === 0 ? null : (
        <Paging path={list.path} query={query} page={page} size={PAGE} found={found.length} />
      )}
      <ApiCall path={list.path} query={{ ...query, count: PAGE }} />
      <Below isThere={!isPending}>{list.below}</Below>
    </>
  )
}

const Below = ({ isThere, children }: { readonly isThere: boolean; readonly children: ReactNode }) =>
  isThere ? children : null

interface Headed {
  readonly list: Pick<ListPage<never>, 'title' | 'about' | 'actions' | 'create' | 'items'>
  readonly query: Query
  readonly isExported: boolean
  readonly isEmpty: boolean
}

const ListHead = ({ list, query, isExported, isEmpty }: Headed) => (
  <PageHead
    title={list.title}
    about={list.about}
    actions={
      <>
        {isExported ? <Exporting kind={list.items} query={query} /> : null}
        {list.actions}
        {isEmpty ? null : list.create}
      </>
    }
  />
)

interface Found<Row> {
  readonly list: ListPage<Row>
  readonly rows: readonly Row[]
  readonly query: Query
  readonly isPending: boolean
  readonly error: unknown
  readonly again: () => void
  readonly isNarrowed: boolean
}

function Listed<Row extends { readonly id: string }>({ list, rows, query, ...found }: Found<Row>) {
  const chosen = useChosen<Row>(list.bulk)
  const narrow = useNarrow()
  if (found.isPending || chosen?.bar === null) return <Loading isOfRows lines={list.expected ?? EXPECTED} />
  if (found.error) return <Failure error={found.error} again={found.again} />
  if (rows.length === 0)
    return found.isNarrowed ? <NothingFound clear={() => narrow(NOTHING)} /> : <Nothing list={list} />
  const given = { ...givenOf(list), ...(chosen && { choose: chosen.boxOf }) }
  return (
    <OfSandbox value={query['environment'] === 1}>
      {chosen?.bar?.(rows, query)}
      <Rows label={list.title} columns={list.columns} rows={rows} {...given} />
    </OfSandbox>
  )
}

/** What a row opens, and what is done with it, where there is any. */
const givenOf = <Row,>({ wayTo, rowActions }: Pick<ListPage<Row>, 'wayTo' | 'rowActions'>) => ({
  ...(wayTo && { wayTo }),
  ...(rowActions && { actions: rowActions }),
})

const NOTHING = { q: undefined, filter: undefined, from: undefined, to: undefined }

function Nothing({
  list,
}: {
  readonly list: Pick<ListPage<never>, 'empty' | 'create' | 'start' | 'making' | 'path'>
}) {
  const [title, more] = list.empty
  return (
    <Empty title={title} more={more} making={list.making ? { path: list.path, ...list.making } : undefined}>
      {list.create ?? list.start}
    </Empty>
  )
}
