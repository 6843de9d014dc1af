import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EventLog } from '../../../../src/events/log/schema.ts'
import { fill } from '../../../shared/language.ts'
import { nameOf, numberText, State } from '../../format.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { useLive } from '../../live.ts'
import { Failure } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { useInAddress } from '../../in-address.ts'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { ask } from '../../../ui/server.ts'
import { momentOf } from '../../../ui/time.ts'
import { texts } from '../../texts/texts.ts'
import { ABOUT } from '../events/about.ts'
import { Changed } from '../events/Changes.tsx'
import { EVENT } from '../events/columns.tsx'
import { TICKING } from './steps.ts'

/** Rows that are shown, and the most that are kept to be filtered. */
const SHOWN = 12
const KEPT = 50
/** How often it is looked whether what is being delivered has come. */
const PENDING_MS = 5_000
/** For how long: what is tried again later is seen when the page is opened anew. */
const AWAITED_MS = 60_000

/** What happens in all products, as it happens: it can be paused, and narrowed to a kind of event. */
export function Feed() {
  const { accountPath, environment } = usePlace()
  return <FeedOf key={`${accountPath} ${environment}`} />
}

/** Whether something has just come of which it is not known yet what became of its deliveries. */
const isAnyPending = (come: readonly EventLog[], read: readonly EventLog[] = []): boolean =>
  come.some(({ id, state, created }) => {
    const age = Math.abs(Date.now() - momentOf(created).getTime())
    return age < AWAITED_MS && (read.find((event) => event.id === id)?.state ?? state) === 'pending'
  })

/** What has happened before, once the stream is open, so that nothing is missed between both. */
function useBefore(isReady: boolean, come: readonly EventLog[]) {
  const { account, accountPath, environment } = usePlace()
  const { data: products } = useQuery(productsQuery(account.developer_id))
  const ids = products?.map(({ id }) => id).join(',') ?? ''
  const query = { environment, product_ids: ids, count: KEPT }
  return useQuery({
    queryKey: [`${accountPath}/events.json`, query],
    enabled: isReady && products !== undefined,
    queryFn: () =>
      ids === '' ? { events: [] } : ask<{ events: readonly EventLog[] }>(`${accountPath}/events.json`, query),
    // What was just sent to listeners is told once it has come there.
    refetchInterval: ({ state }) => (isAnyPending(come, state.data?.events) ? PENDING_MS : false),
  })
}

function FeedOf() {
  const { accountPath, environment } = usePlace()
  const queries = useQueryClient()
  const [isReady, setReady] = useState(false)
  const [isPaused, setPaused] = useState(false)
  const [kind, setKind] = useInAddress('kind')
  const [come, setCome] = useState<readonly EventLog[]>([])
  const [held, setHeld] = useState<readonly EventLog[]>([])
  const { data, error, refetch } = useBefore(isReady, come)
  const add = (events: readonly EventLog[]) => setCome((before) => [...events, ...before].slice(0, KEPT))
  const isOpen = useLive(
    `${accountPath}/events/stream`,
    { environment },
    {
      event: (event) => {
        if (TICKING.has(event.type)) void queries.invalidateQueries({ queryKey: ['steps', accountPath] })
        if (isPaused) setHeld((before) => [event, ...before].slice(0, KEPT))
        else add([event])
      },
      open: () => setReady(true),
    },
  )
  const goOn = () => {
    setPaused(false)
    add(held)
    setHeld([])
  }
  const all = new Map([...come, ...(data?.events ?? [])].map((event) => [event.id, event]))
  for (const { id } of held) all.delete(id)
  // What is read and what is streamed come in any order.
  const rows = [...all.values()]
    .filter(({ type }) => kind === '' || type.startsWith(`${kind}.`))
    .toSorted((a, b) => b.created.localeCompare(a.created) || Number(b.id) - Number(a.id))
  return (
    <section className="stack">
      <div className="feed-head">
        <h2>{texts.latest}</h2>
        <FeedState isPaused={isPaused} isOpen={isOpen} />
        <Kinds kind={kind} choose={setKind} />
        <Button variant="default" size="compact-sm" onClick={() => (isPaused ? goOn() : setPaused(true))}>
          {isPaused ? goOnWith(held.length) : texts.pauseFeed}
        </Button>
      </div>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : (
        <FeedRows rows={rows.slice(0, SHOWN)} isLoading={data === undefined && come.length === 0} />
      )}
    </section>
  )
}

const goOnWith = (held: number): string =>
  held === 0 ? texts.resumeFeed : fill(texts.newRows, { count: numberText(held) })

function FeedState({ isPaused, isOpen }: { readonly isPaused: boolean; readonly isOpen: boolean }) {
  if (isPaused) return <State word={texts.pausedFeed} tone="warning" />
  return isOpen ? <State word={texts.liveFeed} tone="good" /> : <State word={texts.connecting} tone="plain" />
}

interface Choice {
  readonly kind: string
  readonly choose: (kind: string) => void
}

const Kinds = ({ kind, choose }: Choice) => (
  <label className="feed-kind">
    <span className="unseen">{texts.filter}</span>
    <select value={kind} onChange={({ target }) => choose(target.value)}>
      <option value="">{texts.allEvents}</option>
      {ABOUT.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  </label>
)

interface Shown {
  readonly rows: readonly EventLog[]
  readonly isLoading: boolean
}

function FeedRows({ rows, isLoading }: Shown) {
  const { account, wayTo } = usePlace()
  if (isLoading) return <Loading lines={2} />
  if (rows.length === 0) return <p className="note muted">{texts.noEvents}</p>
  return (
    <Rows
      label={texts.latest}
      columns={COLUMNS}
      rows={rows}
      wayTo={({ id, plugin_id: product }) =>
        product === null
          ? { to: '/$account', params: { account: account.developer_id } }
          : wayTo('event', id, product)
      }
    />
  )
}

function Buyer({ objects }: EventLog) {
  const { user } = objects as { readonly user?: Parameters<typeof nameOf>[0] | null | false }
  return user ? nameOf(user) : texts.none
}

function InProduct({ plugin_id: id }: EventLog) {
  const { account } = usePlace()
  const { data: products } = useQuery(productsQuery(account.developer_id))
  return products?.find((product) => product.id === id)?.title ?? texts.none
}

const TypeAndChange = (event: EventLog) => (
  <>
    {EVENT.type.show(event)}
    <Changed event={event} />
  </>
)

const COLUMNS: readonly Column<EventLog>[] = [
  { label: EVENT.type.label, show: TypeAndChange },
  { label: texts.customer, show: Buyer },
  { label: texts.product, show: InProduct },
  EVENT.state,
  EVENT.happened,
]
