import type { ServerState } from '../../../../src/health/schema.ts'
import type { Column } from '../../../ui/Rows.tsx'
import { numberText, State, Time, type Tone } from '../../format.tsx'
import { serverTexts as words } from '../../texts/of-server.ts'
import { texts } from '../../texts/texts.ts'

type JobLine = ServerState['jobs'][number]
type Gateway = ServerState['gateways'][number]

const JOB_TONES: Readonly<Record<JobLine['state'], Tone>> = {
  waiting: 'plain',
  running: 'good',
  late: 'bad',
  failing: 'bad',
}

export const JOB_COLUMNS: readonly Column<JobLine>[] = [
  { label: words.job, show: ({ name }) => <code>{name}</code> },
  {
    label: texts.state,
    show: ({ state }) => <State word={words.jobStates[state]} tone={JOB_TONES[state]} />,
  },
  {
    label: words.lastRun,
    show: ({ last_finished: time }) => (time === null ? words.never : <Time time={time} />),
  },
  { label: words.nextRun, show: ({ due }) => <Time time={due} /> },
  {
    label: words.failures,
    isNumber: true,
    show: ({ failures }) => numberText(failures),
  },
]

export const GATEWAY_COLUMNS: readonly Column<Gateway>[] = [
  { label: words.gateway, show: ({ gateway }) => gateway },
  {
    label: words.takes,
    show: ({ environments }) => environments.map((of) => words.payments[of]).join(', '),
  },
  {
    label: words.publishableKey,
    show: ({ publishable_key: key, environments }) =>
      key === null ? environments.includes(0) ? words.noKey : words.noForm : <code>{key}</code>,
  },
]
