import { hash } from 'node:crypto'

/** Numbers from 0 up to 1 that follow from a name. */
export function randomFrom(name: string): () => number {
  let state = Number.parseInt(hash('sha256', name).slice(0, 8), 16)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
