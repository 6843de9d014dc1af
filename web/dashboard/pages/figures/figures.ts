import type { SeriesName } from '../../../../src/sales/figures/series-schema.ts'
import type { Query } from '../../../ui/server.ts'
import { GROUPS, type Group } from '../../place.ts'

/** A row as the server tells it. */
export type Told = Readonly<Record<string, string | number | null>>

/** `count`: whole numbers; `money`: amounts in the currency of the row; `rate`: fractions. */
export type Unit = 'count' | 'money' | 'rate'

export interface Figure {
  readonly name: FigureName
  /** The list that tells it, which is also the name of its array. */
  readonly list: SeriesName | 'versions' | 'mrr' | 'earnings'
  readonly unit: Unit
  /** The fields that are drawn, the first of which is spoken of first. */
  readonly fields: readonly FieldName[]
  /** What a role needs to see it. */
  readonly access: string
  /** What it can be told by beside its time. */
  readonly groups: readonly Group[]
}

export type FigureName = SeriesName | 'versions' | 'mrr' | 'movement' | 'churn' | 'earnings'

export type FieldName =
  | 'mrr'
  | 'new'
  | 'expansion'
  | 'contraction'
  | 'churned'
  | 'customer_churn_rate'
  | 'revenue_churn_rate'
  | 'net'
  | 'gross'
  | 'fees'
  | 'given_back'
  | 'renewing'
  | 'ending'
  | 'activated'
  | 'deactivated'
  | 'installed'
  | 'uninstalled'
  | 'started'
  | 'converted'
  | 'opened'
  | 'completed'
  | 'recovered'
  | 'licenses'
  | 'refunds'
  | 'installs'

const recurs = { list: 'mrr', access: 'sales', groups: GROUPS } as const

export const FIGURES: readonly Figure[] = [
  { ...recurs, name: 'mrr', unit: 'money', fields: ['mrr'] },
  { ...recurs, name: 'movement', unit: 'money', fields: ['new', 'contraction', 'expansion', 'churned'] },
  { ...recurs, name: 'churn', unit: 'rate', fields: ['customer_churn_rate', 'revenue_churn_rate'] },
  {
    name: 'earnings',
    list: 'earnings',
    unit: 'money',
    fields: ['net', 'gross', 'fees', 'given_back'],
    access: 'sales',
    groups: GROUPS,
  },
  { name: 'refunds', list: 'refunds', unit: 'count', fields: ['refunds'], access: 'sales', groups: GROUPS },
  {
    name: 'worth',
    list: 'worth',
    unit: 'money',
    fields: ['renewing', 'ending'],
    access: 'sales',
    groups: GROUPS,
  },
  ...(
    [
      ['expirations', ['licenses'], ['plan']],
      ['trials', ['started', 'converted'], ['plan']],
      ['activations', ['activated', 'deactivated'], []],
      ['installs', ['installed', 'uninstalled'], ['plan', 'country']],
    ] as const
  ).map(([name, fields, groups]) => ({
    name,
    list: name,
    unit: 'count' as const,
    fields,
    access: 'licenses',
    groups,
  })),
  {
    name: 'carts',
    list: 'carts',
    unit: 'count',
    fields: ['opened', 'completed', 'recovered'],
    access: 'customers',
    groups: GROUPS,
  },
  { name: 'versions', list: 'versions', unit: 'count', fields: ['installs'], access: 'licenses', groups: [] },
]

/** Whether it is told by whole months alone, the last twelve of them. */
export const isMonthly = ({ list }: Figure) => list === 'mrr' || list === 'earnings'

export type Interval = 'day' | 'week' | 'month'

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

interface Asked {
  readonly interval: Interval
  readonly group: Group | undefined
  readonly environment: 0 | 1
  readonly now: Date
}

/** Whole intervals, up to now or from now on. */
export function queryOf(figure: Figure, { interval, group, environment, now }: Asked): Query {
  if (figure.list === 'versions') return { environment }
  const grouped = group === undefined ? {} : { group }
  if (isMonthly(figure)) return { environment, ...grouped }
  const most = MOST[interval]
  const [from, to] =
    figure.list === 'expirations' || figure.list === 'worth'
      ? [beginOf(now, 'day', 0), beginOf(now, interval, most) - 1]
      : [beginOf(now, interval, 1 - most), now.getTime()]
  return { environment, interval, from: dayText(from), to: dayText(to), ...grouped }
}
