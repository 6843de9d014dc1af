import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Together } from './together.ts'

test('what is asked for twice at a time is read once, what has another name by itself', async () => {
  const reads = new Together<string>()
  const begun: string[] = []
  const read = (name: string) => reads.do(name, async () => (begun.push(name), `${name} ${begun.length}`))
  assert.deepEqual(await Promise.all([read('a'), read('b'), read('a')]), ['a 1', 'b 2', 'a 1'])
  assert.equal(await read('a'), 'a 3', 'what was read before is not told again')
})

test('a read that fails does so for all who asked, and is done anew for who asks then', async () => {
  const reads = new Together<string>()
  let isAway = true
  const read = () =>
    reads.do('a', async () => {
      if (isAway) throw new Error('away')
      return 'there'
    })
  const outcomes = await Promise.allSettled([read(), read()])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  isAway = false
  assert.equal(await read(), 'there')
})
