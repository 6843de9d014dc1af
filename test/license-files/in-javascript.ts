import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import vm from 'node:vm'
import type { Table } from './cases.ts'
import { CLIENTS, verify, type Verified, type Verify } from './verify.ts'

/** What a verifier says of each case of the table. */
export type Run = (table: Table) => Promise<readonly Verified[]>

/** The text of a verifier. */
export const source = (name: string) => readFile(join(CLIENTS, name), 'utf8')

async function withFunction(run: Verify, { publicKeys, cases }: Table): Promise<Verified[]> {
  const found: Verified[] = []
  for (const { file, given } of cases) {
    const { keys, ...options } = given
    found.push(await run(file, { ...options, publicKeys: publicKeys[keys] as never }))
  }
  return found
}

export const inNode: Run = (table) => withFunction(verify, table)

/** In a world that has what browsers and Node have in common, and nothing else of Node. */
export const inBrowser: Run = async (table) => {
  const { atob, btoa, crypto, TextDecoder, TextEncoder, Uint8Array } = globalThis
  const world = vm.createContext({ atob, btoa, crypto, TextDecoder, TextEncoder, Uint8Array })
  const script = (await source('license-file.mjs')).replace('export async function', 'async function')
  const run = vm.runInContext(`${script}\nverify`, world) as Verify
  return structuredClone(await withFunction(run, table))
}
