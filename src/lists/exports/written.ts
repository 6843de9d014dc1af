import { BYTE_ORDER_MARK, csvLine } from '../../lib/csv.ts'
import type { UtcTime } from '../../lib/time.ts'
import { timesIn } from '../../lib/zoned-time.ts'
import type { Column } from './kinds.ts'
import type { ExportRow } from './schema.ts'

type Item = Readonly<Record<string, unknown>>

/** How a file is written. */
export interface Writing {
  /** What stands before the first row. */
  readonly head: string
  rows(items: readonly Item[]): string
}

/** A file of an export: amounts as in replies, in whole units of the currency beside them; times in its zone. */
export function writingOf(
  { format, time_zone: zone }: Pick<ExportRow, 'format' | 'time_zone'>,
  columns: readonly Column[],
): Writing {
  const times = timesIn(zone)
  const isCsv = format === 'csv'
  const told = isCsv ? times.shown : times.iso
  const valueOf = (item: Item, { name, isTime }: Column): unknown => {
    const value = item[name] ?? null
    return isTime && typeof value === 'string' && value !== '' ? told(value as UtcTime) : value
  }
  if (isCsv) {
    return {
      head: BYTE_ORDER_MARK + csvLine(columns.map(({ name }) => name)),
      rows: (items) => items.map((item) => csvLine(columns.map((one) => valueOf(item, one)))).join(''),
    }
  }
  const objectOf = (item: Item) => Object.fromEntries(columns.map((one) => [one.name, valueOf(item, one)]))
  return {
    head: '',
    rows: (items) => items.map((item) => `${JSON.stringify(objectOf(item))}\n`).join(''),
  }
}
