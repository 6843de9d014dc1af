import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Firing, SandboxClock } from '../../../../src/catalogue/sandbox/schema.ts'
import type { Due } from '../../../../src/sales/due/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Said } from '../../../ui/doing.tsx'
import { numberText, State } from '../../format.tsx'
import { NumberLink, Owner } from '../../links.tsx'
import { Part } from '../../lists/Part.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { OfSandbox } from '../../may-write.ts'
import { ApiCall, Failure, PageHead } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace, type PlaceSearch } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { clockQuery, dueQuery, SandboxTime, sandboxTime } from './clock.tsx'
import { Move } from './Move.tsx'

/** The clock of a product's sandbox: what falls due next, how it is moved, and what happened by that. */
export function Sandbox() {
  const { environment } = usePlace()
  return environment === 1 ? <Clock /> : <Elsewhere />
}

/** What is sold lives on the time of everybody. */
function Elsewhere() {
  const navigate = useNavigate()
  const search = (before: PlaceSearch) => ({ ...before, mode: 'test' as const })
  return (
    <>
      <PageHead title={texts.sandboxClock} />
      <div className="panel blank">
        <p>{texts.sandboxElsewhere}</p>
        <Button variant="default" onClick={() => void navigate({ to: '.', search })}>
          {texts.toTest}
        </Button>
      </div>
    </>
  )
}

function Clock() {
  const { path } = usePlace()
  const { data, error, refetch } = useQuery(clockQuery(path))
  if (data)
    return (
      <OfSandbox value>
        <Standing clock={data} />
      </OfSandbox>
    )
  return (
    <>
      <PageHead title={texts.sandboxClock} about={texts.sandboxAbout} />
      {error ? <Failure error={error} again={() => void refetch()} /> : <Loading />}
    </>
  )
}

/** Rows that are looked at: as many as the interface lists at a time. */
const LOOKED_AT = 50
/** Of what falls due. */
const SHOWN = 25

function Standing({ clock }: { readonly clock: SandboxClock }) {
  const { path } = usePlace()
  const isReady = clock.status === 'ready'
  const { fired, mark } = useFired(isReady)
  return (
    <>
      <PageHead
        title={texts.sandboxClock}
        state={<State word={isReady ? texts.stands : texts.moves} tone={isReady ? 'good' : 'warning'} />}
        about={texts.sandboxAbout}
      />
      <section className="panel clock">
        <p>
          <strong>
            <SandboxTime at={clock.now} />
          </strong>
          {clock.target === null ? null : <span className="muted"> → {sandboxTime(clock.target)}</span>}
        </p>
        <Move clock={clock} mark={mark} />
      </section>
      <Said text={fired === null ? '' : fill(texts.firedMore, { count: numberText(fired) })} />
      <DueNext />
      <Part<Firing>
        title={texts.fired}
        path={`${path}/sandbox/timeline.json`}
        items="timeline"
        columns={FIRED}
        empty={texts.nothingFired}
      />
      <ApiCall path={`${path}/sandbox/clock.json`} />
    </>
  )
}

/** How much happened by the last move from here; null: there was none. `mark` is called before it. */
function useFired(isReady: boolean): { readonly fired: number | null; readonly mark: () => void } {
  const { path } = usePlace()
  const { data } = useQuery({
    queryKey: [`${path}/sandbox/timeline.json`, 'newest'],
    queryFn: () =>
      ask<{ timeline: readonly Firing[] }>(`${path}/sandbox/timeline.json`, { count: LOOKED_AT }),
  })
  const [from, setFrom] = useState<number | null>(null)
  const [hasMoved, setMoved] = useState(false)
  const queries = useQueryClient()
  useEffect(() => {
    if (!isReady) setMoved(true)
    // Whatever is shown was read before, or on the way.
    else if (hasMoved) void queries.invalidateQueries()
  }, [isReady, hasMoved, queries])
  const mark = () => {
    setFrom(Number(data?.timeline[0]?.id ?? 0))
    setMoved(false)
  }
  const fired = data?.timeline.filter(({ id }) => Number(id) > (from ?? 0)).length ?? 0
  return { fired: from !== null && hasMoved && isReady ? fired : null, mark }
}

const Thing = ({ kind, id }: Pick<Due, 'kind' | 'id'>) => (
  <span>
    {texts.kinds[kind]} <NumberLink kind={kind} id={id} />
  </span>
)

/** Things of different kinds may have one number. */
interface DueRow extends Pick<Due, 'at' | 'what' | 'kind' | 'user_id'> {
  readonly id: string
  readonly number: string
}

const DUE: readonly Column<DueRow>[] = [
  { label: texts.dueAt, show: ({ at }) => <SandboxTime at={at} /> },
  { label: texts.what, show: ({ what }) => texts.dueWords[what] },
  { label: texts.dueOf, show: ({ kind, number }) => <Thing kind={kind} id={number} /> },
  { label: texts.customer, show: ({ user_id: user }) => <Owner id={user} /> },
]

function DueNext() {
  const { path } = usePlace()
  const { data, error, refetch } = useQuery(dueQuery(path))
  const rows = data?.due.map((due): DueRow => ({ ...due, id: `${due.what} ${due.id}`, number: due.id }))
  return (
    <section className="stack">
      <h2>{texts.dueNext}</h2>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : rows === undefined ? (
        <Loading lines={2} />
      ) : rows.length === 0 ? (
        <p className="note muted">{texts.nothingDue}</p>
      ) : (
        <Rows label={texts.dueNext} columns={DUE} rows={rows.slice(0, SHOWN)} />
      )}
    </section>
  )
}

const NAMED = ['payment', 'subscription', 'license', 'cart', 'trial'] as const

/** The first that is named of what it happened to. */
function Happened({ data }: Firing) {
  const ids = data as Readonly<Record<string, unknown>>
  const kind = NAMED.find((one) => typeof ids[`${one}_id`] === 'string')
  return kind === undefined ? texts.none : <Thing kind={kind as Due['kind']} id={String(ids[`${kind}_id`])} />
}

const FIRED: readonly Column<Firing>[] = [
  { label: texts.happened, show: ({ at }) => <SandboxTime at={at} /> },
  { label: texts.what, show: ({ what }) => texts.firedWords[what] },
  { label: texts.event, show: ({ type }) => <code>{type}</code> },
  { label: texts.dueOf, show: Happened },
]
