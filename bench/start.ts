import { rm } from 'node:fs/promises'
import { startBare, startKeywright, type Server } from './processes.ts'
import { median, type Benchmark, type Row } from './row.ts'
import { environmentOf, seededFolder, type Environment } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'

const STARTS = 15
const LINE_MS = 1_000

/** From the start of the process to its first answer: on data, and for the first time, with all migrations. */
export const start: Benchmark = async ({ quick }) => {
  await using closing = new AsyncDisposableStack()
  const { environment, remove } = await seededFolder()
  closing.defer(remove)
  const folder = await temporaryFolder(closing)
  const fresh = environmentOf({ KEYWRIGHT_DATA: folder })
  const times = { ours: [] as number[], first: [] as number[], bare: [] as number[] }
  const bare = (variables: Environment) => startBare(variables, 'start-bare.ts')
  await untilAnswered(startKeywright, environment)
  for (let turn = 0; turn < (quick ? STARTS / 5 : STARTS); turn++) {
    times.bare.push(await untilAnswered(bare, environment))
    times.ours.push(await untilAnswered(startKeywright, environment))
    for (const file of ['keywright.db', 'keywright.db-wal', 'keywright.db-shm']) {
      await rm(`${folder}/${file}`, { force: true })
    }
    times.first.push(await untilAnswered(startKeywright, fresh))
  }
  return [
    rowOf('start to first answer, on data', times.ours, times.bare),
    rowOf('start to first answer, the first start', times.first, times.bare),
  ]
}

async function untilAnswered(
  begin: (environment: Environment) => Promise<Server>,
  environment: Environment,
): Promise<number> {
  const from = performance.now()
  const server = await begin(environment)
  try {
    const { status } = await fetch(`${server.address}/v1/ping.json`, { headers: { connection: 'close' } })
    if (status !== 200) throw new Error(`The first answer was ${status}.`)
    return performance.now() - from
  } finally {
    await server.stop()
  }
}

function rowOf(name: string, ours: readonly number[], bare: readonly number[]): Row {
  return {
    name: `${name}; the reference is node:http alone`,
    ours: `${median(ours).toFixed(0)} ms`,
    reference: `${median(bare).toFixed(0)} ms`,
    ratio: (median(ours) / median(bare)).toFixed(2),
    line: `< ${LINE_MS} ms`,
    pass: median(ours) < LINE_MS,
  }
}
