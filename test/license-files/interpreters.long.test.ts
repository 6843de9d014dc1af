import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Table } from './cases.ts'
import type { Run } from './in-javascript.ts'
import { hasPhpWithSodium, inPhp, inPhpWithSodium, inPhpWithStandIn, inPython } from './interpreters.ts'
import { CLIENTS } from './verify.ts'

const written = JSON.parse(await readFile(join(CLIENTS, 'cases.json'), 'utf8')) as Table
/** Good ones and forged ones, few, as each takes PHP a while. */
const some: Run = (all) => inPhpWithStandIn({ ...all, cases: all.cases.slice(0, 20) })

const verifiers: readonly { readonly name: string; readonly run: Run; readonly count?: number }[] = [
  { name: 'Python', run: inPython },
  { name: 'PHP by its own arithmetic', run: inPhp },
  { name: 'PHP with a stand-in for sodium', run: some, count: 20 },
  ...(hasPhpWithSodium() ? [{ name: 'PHP with sodium', run: inPhpWithSodium }] : []),
]

for (const { name, run, count = written.cases.length } of verifiers) {
  test(`R15: ${name} answers every case of the table as it stands there`, async () => {
    const found = await run(written)
    assert.equal(found.length, count)
    for (const [index, { name: title, result }] of written.cases.slice(0, count).entries()) {
      assert.deepEqual(found[index], result, title)
    }
  })
}
