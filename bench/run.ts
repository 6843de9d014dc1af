import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { activations } from './activations.ts'
import { couponPrefix } from './coupon-prefix.ts'
import { deepOffset } from './deep-offset.ts'
import { figures } from './figures.ts'
import { licenses } from './licenses.ts'
import { licensesPostgres } from './licenses-postgres.ts'
import { postgres } from './postgres.ts'
import { pricingTable } from './pricing-table.ts'
import { purchase } from './purchase.ts'
import { quote } from './quote.ts'
import { renewals } from './renewals.ts'
import type { Benchmark, Row } from './row.ts'
import { memory } from './memory.ts'
import { start } from './start.ts'
import { writers } from './writers.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

const benchmarks: Record<string, Benchmark> = {
  users,
  'deep-offset': deepOffset,
  postgres,
  'pricing-table': pricingTable,
  'coupon-prefix': couponPrefix,
  writers,
  memory,
  start,
  licenses,
  activations,
  'licenses-postgres': licensesPostgres,
  figures,
  quote,
  purchase,
  renewals,
  webhooks,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
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
const table = tableOf(rows)
console.log(`\n${table}`)
if (positionals.length === 0 && !values.quick)
  writeFileSync(new URL('RESULTS.md', import.meta.url), resultsOf(table))
process.exitCode = rows.some(({ pass }) => pass === false) ? 1 : 0

function tableOf(lines: readonly Row[]): string {
  const cells = lines.map(({ name, ours, reference, ratio, line, pass }) => [
    name,
    ours,
    reference,
    ratio,
    line,
    pass === null ? '' : pass ? 'yes' : 'no',
  ])
  const all = [['name', 'ours', 'reference', 'ratio', 'line', 'pass'], Array<string>(6).fill('---'), ...cells]
  return all.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function resultsOf(text: string): string {
  const machine = `${availableParallelism()} cores, ${process.platform}-${process.arch}, Node.js ${process.version}`
  return `# Benchmarks

The last run of \`npm run bench\`, which writes this file. Each figure stands beside a reference measured in the same
run; ratios count, absolute figures only inform. Machine: ${machine}.

${text}
`
}
