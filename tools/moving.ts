import type { Column, Kind } from '../src/imports/kinds/column.ts'
import { KINDS } from '../src/imports/kinds/kinds.ts'
import { STAYING } from '../test/staying-tables.ts'
import { keepTable, row } from './table.ts'

function typeOf(column: Column): string {
  switch (column.type) {
    case 'reference':
      return `id → ${column.to}${column.isInProduct ? ', of the same product' : ''}`
    case 'text':
    case 'secret':
      return `${column.form ?? (column.type === 'secret' ? 'secret' : 'text')}, ≤ ${column.max}`
    case 'integer':
      return column.unit ?? 'whole number'
    case 'choice':
      return column.of.map((one) => `\`${one}\``).join(' ')
    default:
      return SAID[column.type]
  }
}

const SAID = {
  id: 'id',
  time: 'time',
  json: 'JSON as text',
  bytes: 'base64',
  flag: '`true` `false`',
} as const

function emptyOf({ null: isNull, default: otherwise }: Column): string {
  if (otherwise !== undefined) return otherwise === '' ? 'empty text' : `\`${otherwise}\``
  return isNull ? 'empty' : '**must be there**'
}

const tableOf = ({ name, says, key, columns }: Kind) =>
  [
    `### ${name}\n\n${says[0]?.toUpperCase()}${says.slice(1)}.`,
    key.length === 0 ? '' : ` A row is named by ${key.map((one) => `\`${one}\``).join(' and ')}.`,
    '\n\n',
    row(['column', 'holds', 'left out']),
    row(['---', '---', '---']),
    ...Object.entries(columns).map(([column, about]) =>
      row([`\`${column}\``, typeOf(about), emptyOf(about)]),
    ),
    '\n',
  ].join('')

const staying = () =>
  [
    '### What stays\n\nTables that no file has, and why:\n\n',
    row(['table', 'why']),
    row(['---', '---']),
    ...Object.entries(STAYING).map(([table, why]) => row([`\`${table}\``, why])),
    '\n',
  ].join('')

keepTable({ name: 'moving', document: 'docs/moving.md' }, KINDS.map(tableOf).join('') + staying())
