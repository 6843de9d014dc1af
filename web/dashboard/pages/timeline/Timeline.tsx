import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Timeline as Page, TimelineEntry as Entry } from '../../../../src/sales/timeline/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { ask } from '../../../ui/server.ts'
import { numberText, State, Time, useWhen, type Tone } from '../../format.tsx'
import { OfSandbox } from '../../may-write.ts'
import { Failure } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { wayToRequest } from '../../ways.ts'
import { wordOf, changeIn } from './entry.ts'
import { words } from './words.ts'

/** Entries that are asked for at a time. */
const PAGE = 15

interface TimelineOf {
  /** What the calls about the customer or the license begin with. */
  readonly own: string
  /** Only what is of it, or of neither; absent: all, as of a license, which is of one. */
  readonly environment?: 0 | 1
}

/** All that has to do with a customer or a license, newest first; older entries are added below. */
export function Timeline({ own, environment }: TimelineOf) {
  const path = `${own}/timeline.json`
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [path, environment],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }) => ask<Page>(path, { count: PAGE, before, environment }),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const entries = data?.pages.flatMap((page) => page.entries)
  return (
    <section className="stack">
      <h2>{words.title}</h2>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : entries === undefined ? (
        <Loading lines={4} />
      ) : entries.length === 0 ? (
        <p className="note muted">{words.nothing}</p>
      ) : (
        <Rows label={words.title} columns={columnsOf(own)} rows={entries} />
      )}
      {hasNextPage ? (
        <Button
          className="at-start"
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {words.older}
        </Button>
      ) : null}
    </section>
  )
}

const ICONS = { event: 'event', mail: 'mail', note: 'note', audit: 'person', refusal: 'cross' } as const

function Kind({ kind }: Entry) {
  return (
    <span className="copied muted">
      <Icon name={ICONS[kind]} /> {words.kinds[kind]}
    </span>
  )
}

/** What it was, with what is known beside it: what changed, how the mail stands, why it was refused. */
function What({ entry, own }: { readonly entry: Entry; readonly own: string }) {
  const { kind, state, text, count, about } = entry
  const isTold = kind === 'note' || kind === 'refusal' || state === 'failed'
  const isOther = kind !== 'mail' && about !== null && !own.endsWith(`/${about.kind}s/${about.id}`)
  return (
    <div>
      <Named {...entry} /> {kind === 'mail' && state !== null ? <MailState state={state} /> : null}
      {isOther ? <Thing about={about} /> : null}
      {isTold && text !== null ? <div className="muted note-text">{text}</div> : null}
      {count !== null && count > 1 ? <div className="muted">{fill(words.times, { count })}</div> : null}
      <Change {...entry} />
    </div>
  )
}

/** When it ends, or how many sites; none is no limit. */
function Change(entry: Entry) {
  const when = useWhen()
  const change = changeIn(entry)
  const text = (value: unknown): string => {
    if (typeof value !== 'string') return typeof value === 'number' ? numberText(value) : words.unlimited
    return when(value)
  }
  return change === null ? null : <div className="muted">{change.map(text).join(' → ')}</div>
}

/** In words, or by its name where there are none; an event opens its page, a request what it did. */
function Named({ kind, type, id, request_id: request }: Entry) {
  const { account, wayTo } = usePlace()
  const word = wordOf({ kind, type }, words) ?? <code>{type}</code>
  if (kind === 'event') return <Link {...wayTo('event', id.slice('event:'.length))}>{word}</Link>
  if (kind === 'audit' && request !== null) {
    return <Link {...wayToRequest(account.developer_id, request)}>{word}</Link>
  }
  return <>{word}</>
}

const TONES: Readonly<Record<string, Tone>> = { sent: 'good', failed: 'bad' }

const MailState = ({ state }: { readonly state: string }) => (
  <State word={words.mailStates[state] ?? state} tone={TONES[state] ?? 'plain'} />
)

function Thing({ about: { kind, id } }: { readonly about: NonNullable<Entry['about']> }) {
  const { wayTo } = usePlace()
  return (
    <>
      {' · '}
      <Link {...wayTo(kind, id)}>{fill(words.things[kind], { id })}</Link>
    </>
  )
}

function By({ actor }: Entry) {
  if (actor === null) return <>{texts.none}</>
  const { kind, id, name } = actor
  return <>{name ?? fill(words.actors[kind] ?? kind, { id: id ?? '' }).trim()}</>
}

/** Of the sandbox by its clock, which is named. */
function When({ created, on_clock: onClock }: Entry) {
  if (onClock === null) return <Time time={created} />
  return (
    <div>
      <OfSandbox value>
        <Time time={onClock} />
      </OfSandbox>
      <div className="muted">{words.onClock}</div>
    </div>
  )
}

/** Of the timeline of a thing, which its own entries do not name. */
const columnsOf = (own: string): readonly Column<Entry>[] => [
  { label: words.kind, show: Kind },
  { label: words.what, show: (entry) => <What entry={entry} own={own} /> },
  { label: words.by, show: By },
  { label: words.when, show: When },
]
