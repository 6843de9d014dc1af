import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from '../app.ts'
import type { ChangeShop } from '../license-changes.ts'

/** A page of the documents about a way of selling: what code it shows. */
type Way = 'link' | 'script' | 'react' | 'wordpress' | 'own-page'

/** The blocks of code of a page, in order, as they stand there. */
export async function codeOf(way: Way): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, `../../docs/selling/${way}.md`), 'utf8')
  const blocks = [...text.matchAll(/^```(?:html|jsx|php)\n([^]*?)^```$/gm)].map(([, code = '']) => code)
  assert.notEqual(blocks.length, 0, way)
  return blocks
}

/** The code with the address of a server and ids of its first product in it. */
export const placed = (code: string, { address, seller }: TestApp, { plans }: ChangeShop): string =>
  code
    .replaceAll('https://licenses.example.com', address)
    .replaceAll('PRODUCT', String(seller.product.id))
    .replaceAll('PLAN', plans.pro)
