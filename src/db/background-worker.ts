import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { runOn } from './sqlite-run.ts'

const run = runOn(new DatabaseSync((workerData as { data: string }).data, { readOnly: true, timeout: 5_000 }))

interface Question {
  readonly id: number
  readonly sql: string
  readonly parameters: readonly unknown[]
}

parentPort?.on('message', async ({ id, sql, parameters }: Question) => {
  try {
    const { rows } = await run(sql, parameters)
    parentPort?.postMessage({ id, rows })
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) })
  }
})
