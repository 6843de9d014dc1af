// Runs on sqlite, beside others, slowly.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createTestFolder } from '../../../../test/folder.ts'

const INVOICE = {
  kind: 'invoice',
  number: 'INV-000042',
  issuedAt: '2026-01-31 10:00:00',
  correctedNumber: null,
  isTest: false,
  seller: { name: 'Beispiel GmbH', lines: [], vatId: '' },
  buyer: { name: 'Ann Buyer', lines: [], vatId: '' },
  currency: 'eur',
  lines: [{ description: 'Example', amount: 10_000 }],
  tax: 0,
  taxName: 'VAT',
  taxRate: 0,
  isReverseCharged: false,
  method: null,
}

test('a process waits for every invoice that it has drawn, and for nothing after that', async (t) => {
  const program = `
    import { drawInvoice } from ${JSON.stringify(import.meta.resolve('./draw.ts'))}
    const invoice = ${JSON.stringify(INVOICE)}
    const drawn = await Promise.all([1, 2, 3].map(() => drawInvoice(invoice)))
    console.log(drawn.length)`
  const folder = await createTestFolder('draw')
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'draw.mjs')
  await writeFile(file, program)
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.deepEqual([said, code], ['3\n', 0])
})
