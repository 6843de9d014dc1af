import { ASIDE, FAULTS, KEPT, PLATFORM_FAULTS, STAYS } from '../src/imports/codes.ts'
import type { Column, Kind } from '../src/imports/kinds/column.ts'
import { KINDS } from '../src/imports/kinds/kinds.ts'
import { usedFields } from '../src/imports/platforms/used-fields.ts'
import type { Platform } from '../src/imports/platforms/map.ts'
import { PLATFORMS } from '../src/imports/platforms/platforms.ts'
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

/** The fields that are read of each source, without those by which others are found there. */
function fieldsOf(platform: Platform, source: string): string {
  const fields = usedFields(platform)
    .filter((one) => one.source === source)
    .map(({ field, meta }) => `\`${meta ?? field.replace(/^attributes\./, '')}\``)
  return [...new Set(fields)].toSorted().join(' ')
}

const platformText = (platform: Platform) =>
  [
    `### ${platform.title}\n\n\`keywright import ${platform.name} <folder>\` reads ${platform.says}.\n\n`,
    row(['file', 'what it is', 'fields that are read']),
    row(['---', '---', '---']),
    ...Object.entries(platform.sources).map(([source, { file, says, required }]) =>
      row([`\`${file}\`${required ? ' **needed**' : ''}`, says, fieldsOf(platform, source)]),
    ),
    '\nDoes not fit:\n\n',
    ...platform.noFit.map(({ what, why }) => `- ${what}: ${why}\n`),
    `\nFrom: ${platform.documents.join(', ')}.\n\n`,
  ].join('')

const codesOf = (codes: Readonly<Record<string, string>>) =>
  [
    row(['code', 'what it says']),
    row(['---', '---']),
    ...Object.entries(codes).map(([code, says]) => row([`\`${code}\``, says])),
    '\n',
  ].join('')

const CODES = [
  ['A row that cannot be taken:', FAULTS],
  ['A row of another platform that cannot come, beside those:', PLATFORM_FAULTS],
  ['What is no row here, and is counted as put aside:', ASIDE],
  ['A row that stays as it is here:', KEPT],
  ['A row that undoing an import leaves:', STAYS],
] as const

const codes = CODES.map(([of, says]) => `${of}\n\n${codesOf(says)}`)
  .join('')
  .trimEnd()

const platforms = Object.values(PLATFORMS).map(platformText).join('').trimEnd()
keepTable({ name: 'platforms', document: 'docs/moving.md', script: 'moving' }, `${platforms}\n`)
keepTable({ name: 'codes', document: 'docs/moving.md', script: 'moving' }, `${codes}\n`)
keepTable({ name: 'moving', document: 'docs/moving.md' }, KINDS.map(tableOf).join('') + staying())
