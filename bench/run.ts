import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { activations } from './activations.ts'
import { couponPrefix } from './coupon-prefix.ts'
import { deepOffset } from './deep-offset.ts'
import { deployments } from './deployments.ts'
import { feeds } from './feeds.ts'
import { figures } from './figures.ts'
import { licenses } from './licenses.ts'
import { licensesPostgres } from './licenses-postgres.ts'
import { postgres } from './postgres.ts'
import { overview } from './overview.ts'
import { pricingTable } from './pricing-table.ts'
import { purchase } from './purchase.ts'
import { exporting, importing } from './moving.ts'
import { pages } from './pages.ts'
import { portal } from './portal.ts'
import { portalInBrowser } from './portal-in-browser.ts'
import { quote } from './quote.ts'
import { renewals } from './renewals.ts'
import type { Benchmark, Row } from './row.ts'
import { memory } from './memory.ts'
import { mixed } from './mixed.ts'
import { restart } from './restart.ts'
import { start } from './start.ts'
import { strict } from './strict.ts'
import { writers } from './writers.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

const benchmarks: Record<string, Benchmark> = {
  users,
  'deep-offset': deepOffset,
  postgres,
  'pricing-table': pricingTable,
  pages,
  portal,
  'portal-pages': portalInBrowser,
  'coupon-prefix': couponPrefix,
  writers,
  memory,
  mixed,
  start,
  restart,
  licenses,
  strict,
  activations,
  'licenses-postgres': licensesPostgres,
  feeds,
  figures,
  overview,
  quote,
  purchase,
  renewals,
  webhooks,
  deployments,
  import: importing,
  export: exporting,
}

const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const HEAD = [
  lineOf(['name', 'ours', 'reference', 'ratio', 'line', 'pass']),
  lineOf(Array<string>(6).fill('---')),
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, long: { type: 'boolean', default: false } },
})
for (const name of positionals) {
  if (!(name in benchmarks))
    throw new Error(`There is no benchmark ${name}: ${Object.keys(benchmarks).join(', ')}.`)
}
const chosen = Object.entries(benchmarks).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
)
const rows: Row[] = []
for (const [name, run] of chosen) {
  console.log(`\n${name}`)
  rows.push(...(await run(values)))
}
const lines = linesOf(rows)
console.log(`\n${tableOf(lines)}`)
if (!values.quick) {
  const file = new URL('RESULTS.md', import.meta.url)
  const isWhole = positionals.length === 0
  writeFileSync(file, resultsOf(isWhole ? lines : merged(readFileSync(file, 'utf8'), lines)))
}
process.exitCode = rows.some(({ pass }) => pass === false) ? 1 : 0

/** What was measured now in the place of the line of the same name, or after the others. */
function merged(results: string, measured: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kept = results
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(HEAD.length)
  return new Map([...kept.map((line) => [line.split(' | ')[0]?.slice(2) ?? '', line] as const), ...measured])
}

/** A line of the table for each name. */
function linesOf(measured: readonly Row[]): ReadonlyMap<string, string> {
  const line = ({ name, ours, reference, ratio, line: limit, pass }: Row) =>
    lineOf([name, ours, reference, ratio, limit, pass === null ? '' : pass ? 'yes' : 'no'])
  return new Map(measured.map((row) => [row.name, line(row)]))
}

function tableOf(measured: ReadonlyMap<string, string>): string {
  return [...HEAD, ...measured.values()].join('\n')
}

function resultsOf(measured: ReadonlyMap<string, string>): string {
  const machine = `${availableParallelism()} cores, ${process.platform}-${process.arch}, Node.js ${process.version}`
  return `# Benchmarks

What \`npm run bench\` measured last; it writes this file, by name only the lines of what was named. Each figure stands
beside a reference measured in the same run; ratios count, absolute figures only inform. Machine: ${machine}.

${tableOf(measured)}
`
}
