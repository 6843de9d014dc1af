import type { ServerState } from '../../../../src/health/schema.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { State, Time, type Tone } from '../../format.tsx'
import { checkLine, checkName, serverTexts as words } from '../../texts/of-server.ts'

type Checks = NonNullable<ServerState['checks']>
type Line = Checks[number]

/** From what is worst to what is in order. */
const STATUSES = [
  ['fail', 'bad'],
  ['warn', 'warning'],
  ['waiting', 'plain'],
  ['ok', 'good'],
] as const satisfies readonly (readonly [Line['status'], Tone])[]

const WHOLE: Readonly<Record<Line['status'], string>> = {
  fail: words.someFail,
  warn: words.someWarn,
  waiting: words.looking,
  ok: words.allWell,
}

/** The worst of all checks, in a word. */
export function Overall({ checks }: { readonly checks: Checks }) {
  const [status, tone] = STATUSES.find(([one]) => checks.some((line) => line.status === one)) ?? [
    'ok',
    'good',
  ]
  return <State word={WHOLE[status]} tone={tone} />
}

/**
 * What was looked at, what is not in order first, each with what was found and what to do; when, where that was before
 * `fresh`.
 */
export const CheckLines = ({ checks, fresh }: { readonly checks: Checks; readonly fresh: string }) => (
  <ul className="panel checks" aria-label={words.checks}>
    {STATUSES.flatMap(([status]) => checks.filter((line) => line.status === status)).map((line) => (
      <li key={line.check}>
        <Mark status={line.status} />
        <span>
          <strong>{checkName(line.check)}</strong>{' '}
          {line.status === 'waiting' ? words.looking : checkLine(line.message)}
          {line.fix === null ? null : (
            <span className="muted told">
              {words.whatToDo}: {checkLine(line.fix)}
            </span>
          )}
        </span>
        {line.at === null || line.at >= fresh ? null : (
          <span className="muted">
            <Time time={line.at} />
          </span>
        )}
      </li>
    ))}
  </ul>
)

function Mark({ status }: Pick<Line, 'status'>) {
  const isGood = status === 'ok'
  return (
    <span className={isGood ? 'mark good' : status === 'waiting' ? 'mark muted' : 'mark bad'}>
      {status === 'waiting' ? <span aria-hidden="true">–</span> : <Icon name={isGood ? 'done' : 'cross'} />}
      <span className="unseen">{words.status[status]}</span>
    </span>
  )
}
