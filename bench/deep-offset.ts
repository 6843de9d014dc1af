import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { join } from 'node:path'
import { getUsers } from '../src/people/users/service.ts'
import { listUsers } from '../src/people/users/queries.ts'
import { USER_FILTERS } from '../src/people/users/schema.ts'
import { median, quantile, whole, type Benchmark } from './row.ts'
import { benchContext, seededFolder, tokenScope } from './seed.ts'
import { recorded, type Statement } from './statements.ts'

const USERS = 1_000_000
const COUNT = 25
const RUNS = 200
const LINE_MS = 5

/** Pages of a million users on SQLite, from the first to the last, beside the same pages found row by row. */
export const deepOffset: Benchmark = async ({ quick }) => {
  await using closing = new AsyncDisposableStack()
  const { folder, environment, seeded, remove } = await seededFolder(USERS)
  closing.defer(remove)
  const ctx = await benchContext(environment)
  closing.defer(() => ctx.database.close())
  const connection = new DatabaseSync(join(folder, 'keywright.db'), { readOnly: true })
  closing.defer(() => connection.close())
  const scope = tokenScope(seeded)
  const runs = quick ? RUNS / 10 : RUNS
  const page = async (filter: (typeof USER_FILTERS)[number], offset: number) =>
    timed(runs, () => getUsers(ctx, scope, { filter, sort: '-id', offset, count: COUNT }))
  const deepest = USERS - COUNT
  const [marks, list] = await recorded('sqlite', (db) =>
    listUsers(db, scope, { filter: 'all', count: COUNT, offset: deepest }),
  )
  if (!marks || !list) throw new Error('A deep page takes two statements.')
  for (const statement of [marks, list]) printPlan(connection, statement)
  for (const offset of [0, USERS / 10, USERS / 2]) print(`offset ${whole(offset)}`, await page('all', offset))
  for (const filter of USER_FILTERS) {
    if (filter !== 'all') print(`filter ${filter}, beyond its last page`, await page(filter, deepest))
  }
  const ours = await page('all', deepest)
  const prepared = connection.prepare(list.sql)
  const rowByRow = await timed(quick ? 1 : RUNS / 10, async () => prepared.all(...inputs(list)))
  return [
    {
      name: `the last ${COUNT} of ${whole(USERS)} users, SQLite; the reference skips row by row`,
      ours: figures(ours),
      reference: figures(rowByRow),
      ratio: (median(rowByRow) / median(ours)).toFixed(2),
      line: `≤ ${LINE_MS} ms`,
      pass: median(ours) <= LINE_MS,
    },
  ]
}

async function timed(runs: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  await work()
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times
}

const figures = (times: readonly number[]) =>
  `${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`

const print = (name: string, times: readonly number[]) => console.log(`  ${name}: ${figures(times)}`)

const inputs = ({ values }: Statement) => values as SQLInputValue[]

function printPlan(connection: DatabaseSync, statement: Statement): void {
  console.log(`  ${statement.sql}`)
  const plan = connection.prepare(`explain query plan ${statement.sql}`).all(...inputs(statement))
  for (const { detail } of plan) console.log(`    ${String(detail)}`)
}
