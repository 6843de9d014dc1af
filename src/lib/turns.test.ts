import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Turns } from './turns.ts'

/** Work that notes how much of it goes on at once. */
function watched() {
  let now = 0
  const seen = { most: 0, done: 0 }
  const work = async () => {
    seen.most = Math.max(seen.most, ++now)
    await sleep(1)
    now--
    seen.done++
  }
  return { seen, work }
}

async function take<T>(turns: Turns, key: string, room: () => number, work: () => Promise<T>): Promise<T> {
  const place = await turns.enter(key, room)
  try {
    return await work()
  } finally {
    turns.leave(place)
  }
}

test('no more go on at once than there is room for, and each has its turn; another key has turns of its own', async () => {
  const turns = new Turns()
  const [one, other] = [watched(), watched()]
  const taken = Array.from({ length: 20 }, () => take(turns, 'one', () => 3, one.work))
  await Promise.all([...taken, ...Array.from({ length: 5 }, () => take(turns, 'other', () => 9, other.work))])
  assert.deepEqual(
    [one.seen, other.seen],
    [
      { most: 3, done: 20 },
      { most: 5, done: 5 },
    ],
  )
})

test('when there is no room any more all that wait are told, and when there is again the next goes on', async () => {
  const turns = new Turns()
  let left = 2
  const room = () => {
    if (left < 1) throw new Error('none left')
    return left
  }
  const failing = async () => {
    await sleep(1)
    left--
    throw new Error('failed')
  }
  const said = await Promise.all(
    Array.from({ length: 10 }, () =>
      take(turns, 'one', room, failing).catch(({ message }: Error) => message),
    ),
  )
  assert.deepEqual(said.toSorted(), [...Array(2).fill('failed'), ...Array(8).fill('none left')])
  left = 1
  assert.equal(await take(turns, 'one', room, async () => 'done'), 'done')
})
