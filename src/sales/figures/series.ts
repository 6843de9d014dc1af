import type { Context, ReadContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { checkSpan } from '../../http/span.ts'
import type { Scope } from '../../access/scope.ts'
import { dayOf, daysAfter, parseDay, startOfDay, type Day } from '../../lib/days.ts'
import { toDecimal } from '../../lib/money.ts'
import { toUtcTime } from '../../lib/time.ts'
import { groupText } from './groups.ts'
import { beginOf, beginsBetween } from './intervals.ts'
import { countByDay, countVersions, type DayRow } from './series-queries.ts'
import { SERIES, type DayRange, type SeriesName, type VersionInUse } from './series-schema.ts'

type FigureContext = ReadContext & Pick<Context, 'database'>

/** Intervals that are told at once. */
const MOST = 400
const DAYS = 30
/** Of what is still to come. */
const DAYS_AHEAD = 90

/** The days must be days, in order, and not too many. */
export const checkDays = async (range: DayRange, problems: Problems): Promise<void> =>
  checkSpan(range, problems, {
    parse: parseDay,
    form: 'a day, YYYY-MM-DD',
    isTooLong: (first, last) => tooMany(first, last, range.interval),
    most: `${MOST} intervals`,
  })

const tooMany = (first: Day, last: Day, interval: DayRange['interval']) =>
  daysAfter(first, MOST * { day: 1, week: 7, month: 31 }[interval]) <= last

interface Between {
  readonly first: Day
  readonly last: Day
}

function daysOf(ctx: FigureContext, { productId }: Scope, name: SeriesName, range: DayRange): Between {
  const today = dayOf(toUtcTime(ctx.clock.of(productId, range.environment)))
  const [from, to] = [parseDay(range.from ?? ''), parseDay(range.to ?? '')]
  if (name === 'expirations' || name === 'worth') {
    const first = from ?? (to === null ? today : daysAfter(to, 1 - DAYS_AHEAD))
    return { first, last: to ?? daysAfter(first, DAYS_AHEAD - 1) }
  }
  const last = to ?? (from !== null && from > today ? from : today)
  return { first: from ?? daysAfter(last, 1 - DAYS), last }
}

type Told = Readonly<Record<string, string | number | null>>

/**
 * What a product had in each interval of some days, also where it had none; of money in each currency that there was;
 * by plan, country or cycle what there was alone.
 * The first and the last interval have what lies within the days. Read beside the requests.
 */
export async function seriesOf(
  ctx: FigureContext,
  scope: Scope,
  name: SeriesName,
  range: DayRange,
): Promise<Told[]> {
  const { first, last } = daysOf(ctx, scope, name, range)
  const stretch = {
    environment: range.environment,
    from: startOfDay(first),
    until: startOfDay(daysAfter(last, 1)),
    group: range.group,
  }
  const rows = await countByDay(ctx.database.background, scope, name, stretch)
  // With `tooMany` only where one of both days was given.
  const begins = beginsBetween(first, last, range.interval).slice(0, MOST)
  const isGrouped = range.group !== undefined
  const kinds = kindsOf(name, rows, isGrouped)
  const byKind = Map.groupBy(rows, (row) => keyOf(beginOf(row.day as Day, range.interval), row))
  return begins.flatMap((from) =>
    kinds.flatMap((kind) => {
      const some = byKind.get(keyOf(from, kind)) ?? []
      if (isGrouped && some.length === 0) return []
      const { currency, told_by: by } = kind
      return {
        from,
        ...(currency !== undefined && { currency }),
        ...(isGrouped && { group: groupText(by ?? null) }),
        ...sumsOf(name, some),
      }
    }),
  )
}

type Kind = Pick<DayRow, 'currency' | 'told_by'>

const keyOf = (begin: Day, { currency, told_by: by }: Kind) => JSON.stringify([begin, currency, by])

/** What there was, by currency and what it is told by; where it is told by neither, all is of one kind. */
function kindsOf(name: SeriesName, rows: readonly DayRow[], isGrouped: boolean): readonly Kind[] {
  if (!isGrouped && !('currency' in SERIES[name].properties)) return [{}]
  const kinds = new Map(rows.map((row) => [keyOf('' as Day, row), row]))
  return [...kinds].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, kind]) => kind)
}

const BESIDE = ['from', 'currency', 'group']

function sumsOf(name: SeriesName, rows: readonly DayRow[]): Told {
  const counted = Object.entries(SERIES[name].properties).filter(([key]) => !BESIDE.includes(key))
  return Object.fromEntries(
    counted.map(([key, shown]) => {
      const sum = rows.reduce((all, row) => all + Number(row[key] ?? 0), 0)
      return [key, 'type' in shown && shown.type === 'number' ? toDecimal(sum) : sum]
    }),
  )
}

/** On how many installs each version runs now, the most first. */
export async function versionsInUse(
  ctx: FigureContext,
  scope: Scope,
  { environment }: Pick<DayRange, 'environment'>,
): Promise<VersionInUse[]> {
  const rows = await countVersions(ctx.database.background, scope, environment)
  return rows.map(({ version, installs }) => ({ version, installs: Number(installs) }))
}
