import { useQuery } from '@tanstack/react-query'
import type { ServerState } from '../../../../src/health/schema.ts'
import { fill } from '../../../shared/language.ts'
import { numberText, State } from '../../format.tsx'
import { ApiCall, Failure, PageHead, RawData } from '../../parts.tsx'
import { Blank, Facts, Loading } from '../../../ui/parts.tsx'
import { Rows } from '../../../ui/Rows.tsx'
import { momentOf, writtenTime } from '../../../ui/time.ts'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { serverTexts as words } from '../../texts/of-server.ts'
import { texts } from '../../texts/texts.ts'
import { CheckLines, Overall } from './CheckLines.tsx'
import { GATEWAY_COLUMNS, JOB_COLUMNS } from './columns.tsx'
import { SetUp } from './SetUp.tsx'

/** As many as the server counts. */
const MOST = 10_000
const AGAIN_MS = 2_000

/** How the server fares: each check with what to do, jobs, what waits, and how it is set up. */
export function Server() {
  const { accountPath } = usePlace()
  const path = `${accountPath}/server.json`
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: () => ask<ServerState>(path),
    refetchInterval: ({ state }) => (isWaiting(state.data) ? AGAIN_MS : false),
  })
  return (
    <>
      <PageHead
        title={texts.server}
        about={words.about}
        state={data?.checks ? <Overall checks={data.checks} /> : null}
      />
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Loading lines={8} />
      ) : (
        <Shown server={data} />
      )}
      <ApiCall path={path} />
      {data === undefined ? null : <RawData data={data} />}
    </>
  )
}

const isWaiting = (server: ServerState | undefined): boolean =>
  server?.checks?.some(({ status }) => status === 'waiting') ?? false

/** A minute before a time of the server, as it writes that. */
const minuteBefore = (time: string): string => writtenTime(new Date(momentOf(time).getTime() - 60_000))

const numbered = <T,>(rows: readonly T[]) => rows.map((row, at) => ({ ...row, id: String(at) }))

function Shown({ server }: { readonly server: ServerState }) {
  return (
    <>
      <section className="stack">
        <h2>{words.checks}</h2>
        {server.checks === null ? (
          <Blank
            title={words.noChecks}
            more={server.is_only_seller ? words.noChecksOwn : words.noChecksMore}
          />
        ) : (
          <CheckLines checks={server.checks} fresh={minuteBefore(server.time)} />
        )}
      </section>
      <div className="halves">
        <SetUp server={server} />
        <Waiting waiting={server.waiting} />
      </div>
      <section className="stack">
        <h2>{words.gateways}</h2>
        <Rows label={words.gateways} columns={GATEWAY_COLUMNS} rows={numbered(server.gateways)} />
      </section>
      <section className="stack">
        <h2>{words.jobs}</h2>
        {server.jobs.some(({ state }) => state === 'late') ? (
          <p className="note bad">{words.lateMore}</p>
        ) : null}
        {server.jobs.map(({ name, last_error: said }) =>
          said === null ? null : (
            <p key={name} className="note bad">
              <code>{name}</code>: {said}
            </p>
          ),
        )}
        <Rows label={words.jobs} columns={JOB_COLUMNS} rows={numbered(server.jobs)} />
      </section>
    </>
  )
}

const Waiting = ({ waiting }: Pick<ServerState, 'waiting'>) => (
  <Facts
    title={words.waiting}
    facts={[
      { label: words.mailsToSend, value: <Count count={waiting.mails} /> },
      { label: words.mailsGivenUp, value: <Count count={waiting.failed_mails} isBad /> },
      { label: words.callsToMake, value: <Count count={waiting.deliveries} /> },
    ]}
  />
)

function Count({ count, isBad = false }: { readonly count: number; readonly isBad?: boolean }) {
  const number = numberText(count)
  const text = count >= MOST ? fill(words.orMore, { count: number }) : number
  return isBad && count > 0 ? <State word={text} tone="warning" /> : text
}
