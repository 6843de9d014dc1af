import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { fill } from '../../../shared/language.ts'
import { Loading } from '../../../ui/parts.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { ask, type Query } from '../../../ui/server.ts'
import { momentOf } from '../../../ui/time.ts'
import { amountText, numberText } from '../../format.tsx'
import { ApiCall, Failure } from '../../parts.tsx'
import { usePlace, type FiguresSearch, type Group } from '../../place.ts'
import { language, texts } from '../../texts/texts.ts'
import { figureTexts as words } from '../../texts/of-figures.ts'
import { clockQuery } from '../sandbox/clock.tsx'
import { Chart, summaryOf } from './Chart.tsx'
import { Chips, useSay } from './Chips.tsx'
import { queryOf, type FieldName, type Figure, type Interval, type Told } from './figures.ts'
import { pointsInTime, pointsOfGroups, valueOf } from './points.ts'

interface Asked {
  readonly figure: Figure
  readonly interval: Interval
  readonly group: Group | undefined
  readonly groupText: (id: string | null) => string
}

/** One figure: what it means, a chart, a sentence and a table of it. */
export function Shown(asked: Asked) {
  const { figure, interval, group } = asked
  const { path, environment } = usePlace()
  const { data: clock } = useQuery({ ...clockQuery(path), enabled: environment === 1 })
  const now = environment === 0 ? new Date() : clock ? momentOf(clock.now) : null
  const query: Query = now === null ? {} : queryOf(figure, { interval, group, environment, now })
  const from = `${path}/figures/${figure.list}.json`
  const { data, error, refetch } = useQuery({
    queryKey: [from, group, query],
    enabled: now !== null,
    // Rows that are told by something else have no place here.
    placeholderData: (before, former) => (former?.queryKey[1] === group ? before : undefined),
    queryFn: () => ask<Record<string, readonly Told[]>>(from, query),
  })
  const [title = '', about] = words.figureTexts[figure.name]
  return (
    <section className="panel card figure" aria-labelledby={figure.name}>
      <h2 id={figure.name}>{title}</h2>
      <p className="muted">{about}</p>
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data ? (
        <Drawn {...asked} rows={data[figure.list] ?? []} />
      ) : (
        <Loading lines={4} />
      )}
      <ApiCall path={from} query={query} />
    </section>
  )
}

function Drawn({ figure, interval, group, groupText, rows }: Asked & { readonly rows: readonly Told[] }) {
  const { currency: wanted } = useSearch({ strict: false }) as FiguresSearch
  const say = useSay()
  const isOfCurrency = figure.unit !== 'count'
  const currencies = isOfCurrency ? [...new Set(rows.map((row) => String(row['currency'])))].toSorted() : []
  const currency = currencies.find((one) => one === wanted) ?? mostOf(rows, currencies, weightOf(figure))
  const ofOne = isOfCurrency ? rows.filter((row) => row['currency'] === currency) : rows
  const points =
    group === undefined
      ? pointsInTime(figure, ofOne, (row) => timeOf(row, interval))
      : pointsOfGroups(figure, ofOne, {
          labelOf: (row) => groupText(row['group'] as string | null),
          rest: words.otherGroups,
        })
  const series = figure.fields.map((field) => words.figureFields[field])
  const valueText = (value: number) => textOf(figure, value, currency)
  const [title = ''] = words.figureTexts[figure.name]
  return (
    <>
      {currencies.length < 2 ? null : (
        <Chips
          label={texts.currency}
          choices={currencies.map((one) => [one, one.toUpperCase()])}
          chosen={currency}
          choose={(one) => say({ currency: one })}
        />
      )}
      <p>{summaryOf({ series, points, valueText, whole: wholeOf(figure, group) })}</p>
      {figure.name === 'trials' ? <Conversion rows={ofOne} /> : null}
      {points.length === 0 ? null : (
        <Chart
          key={`${interval} ${group} ${currency}`}
          title={title}
          series={series}
          points={points}
          valueText={valueText}
          isInTime={group === undefined && figure.list !== 'versions'}
        />
      )}
      <details className="api-call">
        <summary>{words.showTable}</summary>
        <Rows
          label={title}
          columns={columnsOf({ figure, interval, group, groupText })}
          rows={rows.map((row, n) => ({ ...row, id: String(n) }))}
        />
      </details>
    </>
  )
}

/** By what currencies are compared: the highest rate says nothing of which one matters most. */
const weightOf = ({ unit, fields }: Figure): FieldName => (unit === 'money' && fields[0]) || 'mrr'

/** The currency that most rows are of; of several the one with the largest figures. */
const mostOf = (rows: readonly Told[], currencies: readonly string[], field: FieldName): string => {
  const weigh = (one: string): readonly [count: number, sum: number] => {
    const some = rows.filter((row) => row['currency'] === one)
    return [some.length, some.reduce((sum, row) => sum + valueOf(row, field), 0)]
  }
  const [first = ''] = currencies.toSorted((one, other) => {
    const [a, b] = [weigh(one), weigh(other)]
    return b[0] - a[0] || b[1] - a[1]
  })
  return first
}

/** What stands at a time is not summed over it, nor is a rate. */
function wholeOf({ name }: Figure, group: Group | undefined): 'sum' | 'last' | 'none' {
  if (name === 'churn') return group === undefined ? 'last' : 'none'
  return name === 'mrr' && group === undefined ? 'last' : 'sum'
}

/** Of the trials that began, how many were bought since. */
function Conversion({ rows }: { readonly rows: readonly Told[] }) {
  const sum = (field: FieldName) => rows.reduce((all, row) => all + valueOf(row, field), 0)
  const started = sum('started')
  return started === 0 ? null : (
    <p>{fill(words.conversion, { rate: rateText(sum('converted') / started) })}</p>
  )
}

const rateText = (rate: number): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(rate)

const textOf = ({ unit }: Figure, value: number, currency: string): string =>
  unit === 'money' ? amountText(value, currency) : unit === 'rate' ? rateText(value) : numberText(value)

/** The day or the month in which an interval begins, as people write it, or the version. */
function timeOf(row: Told, interval: Interval): string {
  const [from, month] = [row['from'], row['month']]
  if (from === undefined && month === undefined) return String(row['version'] || texts.none)
  const style = month === undefined && interval !== 'month' ? ({ dateStyle: 'medium' } as const) : MONTH
  return new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' }).format(
    new Date(`${from ?? `${month}-01`}T00:00:00Z`),
  )
}

const MONTH = { month: 'short', year: 'numeric' } as const

type Line = Told & { readonly id: string }

function columnsOf({ figure, interval, group, groupText }: Asked): readonly Column<Line>[] {
  const first: Column<Line> = {
    label: figure.list === 'versions' ? texts.version : words.beginning,
    show: (row) => timeOf(row, interval),
  }
  const told: Column<Line>[] =
    group === undefined
      ? []
      : [{ label: words.groups[group], show: (row) => groupText(row['group'] as string | null) }]
  const values = figure.fields.map((field): Column<Line> => ({
    label: words.figureFields[field],
    show: (row) =>
      row[field] === null ? texts.none : textOf(figure, valueOf(row, field), String(row['currency'])),
    isNumber: true,
  }))
  const amount: Column<Line> = {
    label: texts.amount,
    show: (row) => amountText(Number(row['amount']), String(row['currency'])),
    isNumber: true,
  }
  return [first, ...told, ...values, ...(figure.name === 'refunds' ? [amount] : [])]
}
