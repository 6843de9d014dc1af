import type { Point } from './Chart.tsx'
import { isMonthly, type FieldName, type Figure, type Told } from './figures.ts'

/** Groups that have a place of their own; what is left is told together. */
const MOST_GROUPS = 12

export const valueOf = (row: Told, field: FieldName): number =>
  field === 'given_back'
    ? Number(row['refunds'] ?? 0) + Number(row['disputes'] ?? 0)
    : Number(row[field] ?? 0)

/** What a rate is a part of, and of what. */
const PARTS: Partial<Readonly<Record<FieldName, readonly [part: readonly string[], whole: string]>>> = {
  customer_churn_rate: [['customers_lost'], 'customers_at_start'],
  revenue_churn_rate: [['churned', 'contraction'], 'mrr_at_start'],
}

const sumOf = (rows: readonly Told[], field: string) =>
  rows.reduce((sum, row) => sum + Number(row[field] ?? 0), 0)

/** A field of all intervals of one group: what stands at the end of the last, a rate of all of them, or the sum. */
function wholeOf(rows: readonly Told[], field: FieldName, lastMonth: string): number {
  if (field === 'mrr')
    return sumOf(
      rows.filter(({ month }) => month === lastMonth),
      field,
    )
  const rate = PARTS[field]
  if (rate === undefined) return rows.reduce((sum, row) => sum + valueOf(row, field), 0)
  const whole = sumOf(rows, rate[1])
  return whole === 0 ? 0 : rate[0].reduce((sum, part) => sum + sumOf(rows, part), 0) / whole
}

/** The months from the first to the last of some, also those in between that none of them is of. */
function monthsOf(rows: readonly Told[]): readonly string[] {
  const found = rows.map(({ month }) => String(month)).toSorted()
  const [first, last] = [found[0], found.at(-1)]
  if (first === undefined || last === undefined) return []
  const months: string[] = []
  const at = new Date(`${first}-01T00:00:00Z`)
  for (let month = first; month <= last; month = at.toISOString().slice(0, 7)) {
    months.push(month)
    at.setUTCMonth(at.getUTCMonth() + 1)
  }
  return months
}

type ToLabel = (row: Told) => string

/** What stands over each interval; amounts are those of one currency. */
export function pointsInTime(figure: Figure, rows: readonly Told[], labelOf: ToLabel): readonly Point[] {
  const kinds = Map.groupBy(rows, labelOf)
  const labels = isMonthly(figure) ? monthsOf(rows).map((month) => labelOf({ month })) : [...kinds.keys()]
  return labels.map((label) => ({
    label,
    values: figure.fields.map((field) =>
      (kinds.get(label) ?? []).reduce((sum, row) => sum + valueOf(row, field), 0),
    ),
  }))
}

/** What stands over each plan, country or cycle: those with the most first, the smallest together as the rest. */
export function pointsOfGroups(
  figure: Figure,
  rows: readonly Told[],
  { labelOf, rest }: { readonly labelOf: ToLabel; readonly rest: string },
): readonly Point[] {
  const lastMonth = rows.reduce((last, { month }) => (String(month) > last ? String(month) : last), '')
  const pointOf = (label: string, some: readonly Told[]): Point => ({
    label,
    values: figure.fields.map((field) => wholeOf(some, field, lastMonth)),
  })
  const sizeOf = (some: readonly Told[]) => {
    const [field = 'mrr'] = figure.fields
    return figure.unit === 'rate' ? sumOf(some, 'mrr_at_start') : Math.abs(wholeOf(some, field, lastMonth))
  }
  const groups = [...Map.groupBy(rows, labelOf)].toSorted(([, one], [, other]) => sizeOf(other) - sizeOf(one))
  const first = groups.slice(0, MOST_GROUPS).map(([label, some]) => pointOf(label, some))
  const others = groups.slice(MOST_GROUPS).flatMap(([, some]) => some)
  return others.length === 0 ? first : [...first, pointOf(rest, others)]
}
