import type { Cli } from '../cli.ts'
import { fields, table } from '../text.ts'
import { harmless } from './refusal.ts'
import { localTime } from './times.ts'

/** Columns in the order in which people look for them; what a list has beside these is in `--json`. */
const COLUMNS = [
  'id',
  'month',
  'from',
  'created',
  'type',
  'kind',
  'name',
  'title',
  'email',
  'first',
  'last',
  'code',
  'status',
  'state',
  'action',
  'actor',
  'role',
  'gross',
  'amount',
  'total_gross',
  'vat',
  'currency',
  'monthly_price',
  'annual_price',
  'lifetime_price',
  'licenses',
  'discount',
  'discount_type',
  'plugin_id',
  'user_id',
  'plan_id',
  'pricing_id',
  'license_id',
  'subscription_id',
  'install_id',
  'quota',
  'activated',
  'expiration',
  'next_payment',
  'is_cancelled',
  'is_active',
  'is_live',
  'is_renewal',
  'url',
  'version',
  'message',
  'occasion',
  'is_passed',
  'environment',
  'rights',
  'expires_at',
  'updated',
] as const

/** Amounts that stand in the currency of what they are of. */
const MONEY =
  /^((total_)?gross|total|net|vat|tax|price|missing|fees?|gateway_fee|refunds|disputes|outstanding_balance|mrr(_at_start)?|new|expansion|contraction|churned|(\w+_)?amount|amount_per_cycle|(monthly|annual|lifetime)_price)$/
/** Where no terminal says how wide it is. */
const WIDE = 160
const LONG = 40
/** A list that has no more of those columns is shown with all that it has. */
const FEW = 4

type Item = Readonly<Record<string, unknown>>
const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a list has, a row each, as far as the terminal is wide; amounts without a currency of their own are in `currency`. */
export function listText(cli: Cli, items: readonly unknown[], currency?: unknown): string {
  if (items.length === 0) return 'There is none.'
  const rows = items.map((item) => (isItem(item) ? item : { value: item }))
  const named = COLUMNS.filter((name) => rows.some((row) => isShown(row[name])))
  const others = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => !named.includes(name as never),
  )
  const all: readonly string[] = named.length < FEW ? [...named, ...others] : named
  const columns = all
    .filter((name) => name !== 'currency' || !all.some((other) => MONEY.test(other)))
    .filter((name) => rows.some((row) => isShown(row[name])))
  const cells = rows.map((row) =>
    columns.map((name) => shortened(cellText(name, row[name], row['currency'] ?? currency))),
  )
  const fitting = fit(cli, columns, cells)
  const heading = columns.slice(0, fitting).map((name) => name.replaceAll('_', ' '))
  const [first = '', ...rest] = table(
    heading,
    cells.map((row) => row.slice(0, fitting)),
  ).split('\n')
  return [cli.style('bold', first), ...rest].join('\n')
}

/** One thing, a field a line, named as `--get` takes it; lists that are within it below. */
export function itemText(cli: Cli, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => itemText(cli, one)).join('\n\n')
  if (!isItem(value)) return String(value)
  const lists = Object.entries(value).filter(([, one]) => isListOfItems(one))
  const plain = Object.entries(value).filter(([, one]) => !isListOfItems(one))
  if (lists.length + plain.length === 0) return 'Done.'
  const cells = cellsOf(Object.fromEntries(plain))
  const first = cells.length === 0 ? [] : [fields(Object.fromEntries(cells))]
  const below = lists.map(
    ([name, items]) => `${name}\n${listText(cli, items as readonly unknown[], value['currency'])}`,
  )
  return [...first, ...below].join('\n\n')
}

/** The fields of a thing and of what is within it, by where they stand: `quote.total`. */
function cellsOf(item: Item, place = '', inherited?: unknown): [string, string][] {
  const currency = item['currency'] ?? inherited
  return Object.entries(item).flatMap(([name, value]): [string, string][] => {
    const at = `${place}${name}`
    if (isItem(value) && !isNamed(value) && Object.keys(value).length > 0)
      return cellsOf(value, `${at}.`, currency)
    if (isListOfItems(value)) return [[at, `${(value as readonly unknown[]).length} (--get ${at})`]]
    return [[at, cellText(name, value, currency)]]
  })
}

const isListOfItems = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isItem)

const isShown = (value: unknown) => value !== null && value !== undefined && value !== ''

function fit(cli: Cli, columns: readonly string[], cells: readonly (readonly string[])[]): number {
  const { columns: wide = WIDE } = cli.stdout as { readonly columns?: number }
  let used = 0
  const over = columns.findIndex((name, n) => {
    used += Math.max(name.length, ...cells.map((row) => row[n]?.length ?? 0)) + 2
    return used - 2 > wide
  })
  return over === -1 ? columns.length : Math.max(over, 1)
}

function cellText(name: string, value: unknown, currency: unknown): string {
  if (!isShown(value)) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return numberText(name, value, currency)
  if (typeof value === 'string') return localTime(value) ?? harmless(value)
  if (isNamed(value)) return harmless([value.kind, value.id].filter(isShown).map(String).join(' '))
  const isOfTexts = Array.isArray(value) && !value.some((one) => typeof one === 'object')
  return harmless(isOfTexts ? value.join(', ') || '–' : JSON.stringify(value))
}

const numberText = (name: string, value: number, currency: unknown): string =>
  MONEY.test(name) && typeof currency === 'string'
    ? `${value.toFixed(2)} ${currency.toUpperCase()}`
    : String(value)

const isNamed = (value: unknown): value is { readonly kind: unknown; readonly id: unknown } =>
  isItem(value) && 'kind' in value && 'id' in value

const shortened = (text: string) => (text.length > LONG ? `${text.slice(0, LONG - 1)}…` : text)
