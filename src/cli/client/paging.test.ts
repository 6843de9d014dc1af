import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openAnswering, openClient } from '../../../test/client.ts'

interface Item {
  readonly id: string
}

const items = (from: number, to: number): Item[] =>
  Array.from({ length: from - to + 1 }, (_, n) => ({ id: String(from - n) }))

/** The ids that `--all` finds of a list, the newest first, that is changed after the first page was read. */
async function allOf(t: TestContext, list: Item[], change: () => void): Promise<number[]> {
  let isChanged = false
  const url = await openAnswering(t, ({ url: asked = '' }, response) => {
    const query = new URLSearchParams(asked.split('?')[1])
    const at = Number(query.get('offset') ?? 0)
    const licenses = list.slice(at, at + Number(query.get('count')))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ licenses }))
    if (!isChanged) change()
    isChanged = true
  })
  const client = await openClient('changing', { url, product: '1' })
  const { licenses } = await client.ask(['license', 'find', '--all', '--count', '5'])
  return licenses.map(({ id }: Item) => Number(id))
}

const numbers = (from: number, to: number): number[] => items(from, to).map(({ id }) => Number(id))

test('an item comes once where others are added while a list is read', async (t) => {
  const list = items(23, 1)
  const found = await allOf(t, list, () => list.unshift(...items(31, 24)))
  assert.equal(new Set(found).size, found.length)
  assert.deepEqual(
    found.filter((id) => id < 24),
    numbers(23, 1),
  )
})

test('none is left out where others are removed while a list is read, fewer than a page or more', async (t) => {
  for (const removed of [2, 4, 5, 12]) {
    const list = items(23, 1)
    const left = numbers(23, 1).filter((id) => id > 23 - 5 || id <= 23 - removed)
    assert.deepEqual(await allOf(t, list, () => list.splice(0, removed)), left, `${removed} removed`)
  }
})

test('a list that ends with a full page is read to its end, and one that is empty is one', async (t) => {
  assert.deepEqual(await allOf(t, items(10, 1), () => {}), numbers(10, 1))
  assert.deepEqual(await allOf(t, [], () => {}), [])
})

test('pages that say where the next one begins are followed there', async (t) => {
  const asked: (string | null)[] = []
  const url = await openAnswering(t, (request, response) => {
    const before = new URLSearchParams(request.url?.split('?')[1]).get('before')
    asked.push(before)
    const entries = [{ kind: 'event', id: '1' }]
    const next = asked.length < 3 ? `place ${asked.length}` : null
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ entries, next }))
  })
  const client = await openClient('next', { url, product: '1' })
  const { entries } = await client.ask(['license', 'timeline', '7', '--all'])
  assert.deepEqual([asked, entries.length], [[null, 'place 1', 'place 2'], 3])
})
