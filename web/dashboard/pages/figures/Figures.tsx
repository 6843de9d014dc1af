import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { SeriesName } from '../../../../src/sales/figures/series-schema.ts'
import { amountText, numberText } from '../../format.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { ApiCall, Failure, PageHead } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace, type ListSearch } from '../../place.ts'
import { ask, type Query } from '../../../ui/server.ts'
import { may } from '../../session.ts'
import { language, texts } from '../../texts/texts.ts'
import { momentOf } from '../../../ui/time.ts'
import { clockQuery } from '../sandbox/clock.tsx'
import { Chart, summaryOf, type Point } from './Chart.tsx'

type Told = Readonly<Record<string, string | number>>
type Name = SeriesName | 'versions'
type Interval = 'day' | 'week' | 'month'

interface Figure {
  readonly name: Name
  /** The fields that are drawn, the first of which is spoken of first. */
  readonly fields: readonly string[]
  /** What a role needs to see it. */
  readonly group: string
}

const FIGURES: readonly Figure[] = [
  { name: 'activations', fields: ['activated', 'deactivated'], group: 'licenses' },
  { name: 'installs', fields: ['installed', 'uninstalled'], group: 'licenses' },
  { name: 'trials', fields: ['started', 'converted'], group: 'licenses' },
  { name: 'carts', fields: ['opened', 'completed', 'recovered'], group: 'customers' },
  { name: 'expirations', fields: ['licenses'], group: 'licenses' },
  { name: 'refunds', fields: ['refunds'], group: 'sales' },
  { name: 'versions', fields: ['installs'], group: 'licenses' },
]

/** Intervals that are looked at, back or ahead. */
const MOST: Readonly<Record<Interval, number>> = { day: 30, week: 26, month: 12 }

const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The first day of the interval that is so many after that of a moment; weeks begin on Monday. */
function beginOf(moment: Date, interval: Interval, after: number): number {
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()]
  if (interval === 'month') return Date.UTC(year, month + after, 1)
  const monday = interval === 'week' ? (moment.getUTCDay() + 6) % 7 : 0
  return Date.UTC(year, month, day - monday + after * (interval === 'week' ? 7 : 1))
}

/** Whole intervals, up to now or from now on. */
function queryOf(name: Name, interval: Interval, environment: 0 | 1, now: Date): Query {
  if (name === 'versions') return { environment }
  const most = MOST[interval]
  const [from, to] =
    name === 'expirations'
      ? [beginOf(now, 'day', 0), beginOf(now, interval, most) - 1]
      : [beginOf(now, interval, 1 - most), now.getTime()]
  return { environment, interval, from: dayText(from), to: dayText(to) }
}

/** How the product does, by day, week or month. */
export function Figures() {
  const { account } = usePlace()
  const { filter } = useSearch({ strict: false }) as ListSearch
  const navigate = useNavigate()
  const interval: Interval = filter === 'week' || filter === 'month' ? filter : 'day'
  const choose = (next: Interval) =>
    void navigate({
      to: '.',
      search: (before: ListSearch) => ({ ...before, filter: next === 'day' ? undefined : next }),
    })
  return (
    <>
      <PageHead title={texts.figures} about={texts.figuresAbout} />
      <div role="group" aria-label={texts.interval} className="chips">
        {(['day', 'week', 'month'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={one === interval} onClick={() => choose(one)}>
            {texts.intervals[one]}
          </button>
        ))}
      </div>
      <div className="charts">
        {FIGURES.filter(({ group }) => may(account, group, 'read')).map((figure) => (
          <Shown key={figure.name} figure={figure} interval={interval} />
        ))}
      </div>
    </>
  )
}

function Shown({ figure, interval }: { readonly figure: Figure; readonly interval: Interval }) {
  const { path, environment } = usePlace()
  const { name } = figure
  const { data: clock } = useQuery({ ...clockQuery(path), enabled: environment === 1 })
  const now = environment === 0 ? new Date() : clock ? momentOf(clock.now) : null
  const query = now === null ? {} : queryOf(name, interval, environment, now)
  const from = `${path}/figures/${name}.json`
  const { data, error, refetch } = useQuery({
    queryKey: [from, query],
    enabled: now !== null,
    placeholderData: keepPreviousData,
    queryFn: () => ask<Record<string, readonly Told[]>>(from, query),
  })
  const [title = '', about = ''] = texts.figureTexts[name]
  return (
    <section className="panel card figure" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      <p className="muted">{about}</p>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data ? (
        <Drawn figure={figure} rows={data[name] ?? []} interval={interval} />
      ) : (
        <Loading lines={4} />
      )}
      <ApiCall path={from} query={query} />
    </section>
  )
}

/** The day on which an interval begins, as people write it. */
const beginText = (from: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${from}T00:00:00Z`),
  )

const labelOf = (row: Partial<Told>): string =>
  row['from'] === undefined ? String(row['version'] || texts.none) : beginText(String(row['from']))

interface Filled {
  readonly figure: Figure
  readonly rows: readonly Told[]
  readonly interval: Interval
}

function Drawn({ figure: { name, fields }, rows, interval }: Filled) {
  // What is told by currency is counted together; amounts stand in the table, each in its own.
  const groups = [...Map.groupBy(rows, labelOf)]
  const points: Point[] = groups.map(([label, some]) => ({
    label,
    values: fields.map((field) => some.reduce((sum, row) => sum + Number(row[field] ?? 0), 0)),
  }))
  const series = fields.map((field) => texts.figureFields[field as keyof typeof texts.figureFields])
  const [title = ''] = texts.figureTexts[name]
  const table = rows.map((row, n) => ({ ...row, id: String(n) }))
  return (
    <>
      <p>{summaryOf({ series, points })}</p>
      {points.length === 0 ? null : <Chart key={interval} title={title} series={series} points={points} />}
      <details className="api-call">
        <summary>{texts.showTable}</summary>
        <Rows label={title} columns={columnsOf(name, fields)} rows={table} />
      </details>
    </>
  )
}

type Line = Partial<Told> & { readonly id: string }

function columnsOf(name: Name, fields: readonly string[]): readonly Column<Line>[] {
  const first: Column<Line> = {
    label: name === 'versions' ? texts.version : texts.beginning,
    show: labelOf,
  }
  const counts = fields.map((field): Column<Line> => ({
    label: texts.figureFields[field as keyof typeof texts.figureFields],
    show: (row) => numberText(Number(row[field] ?? 0)),
    isNumber: true,
  }))
  const amount: Column<Line> = {
    label: texts.amount,
    show: (row) => amountText(Number(row['amount']), String(row['currency'])),
    isNumber: true,
  }
  return [first, ...counts, ...(name === 'refunds' ? [amount] : [])]
}
