import { compareServers, type Comparison } from './compare.ts'
import type { Call } from './load.ts'
import type { Benchmark } from './row.ts'
import { seededFolder, type Seeded } from './seed.ts'
import { recordStatements } from './statements.ts'

const CALLS = 5_000

/** Reads of one user and of the first page, on SQLite. */
export const users: Benchmark = async (options) => {
  const seeded = await seededFolder()
  try {
    const { token, user, list } = await recordStatements('sqlite')
    console.log(`Statements of both servers:\n${[token, user, list].map(({ sql }) => `  ${sql}`).join('\n')}`)
    return await compareServers(seeded, userComparisons('SQLite', seeded.seeded, 0.75), options)
  } finally {
    await seeded.remove()
  }
}

export function userComparisons(engine: string, seeded: Seeded, line: number): Comparison[] {
  const base = `/v1/products/${seeded.productId}`
  return [
    { name: `GET users/{id}.json, ${engine}`, line, calls: readCalls(base, seeded.users) },
    { name: `list of 25 users, ${engine}`, line, calls: [{ method: 'GET', path: `${base}/users.json` }] },
  ]
}

/** Reads of users in no order. */
export const readCalls = (base: string, users: number): Call[] =>
  Array.from({ length: CALLS }, () => {
    const id = 1 + Math.floor(Math.random() * users)
    return { method: 'GET', path: `${base}/users/${id}.json` }
  })
