import { useSyncExternalStore } from 'react'

/** What was just done and can be taken back. */
export interface Undoable {
  /** What was done, in words. */
  readonly text: string
  readonly undo: () => void
}

/** For how long it can be taken back by its button, milliseconds. */
const OPEN_MS = 10_000

let offered: Undoable | null = null
let rest: number | undefined
const heard = new Set<() => void>()

function set(next: Undoable | null): void {
  window.clearTimeout(rest)
  offered = next
  for (const hear of heard) hear()
}

/** Offers for ten seconds to take back what was done, in the place of what was offered before. */
export function offerUndo(one: Undoable): void {
  set(one)
  rest = window.setTimeout(() => set(null), OPEN_MS)
}

/** Takes the offer away. */
export const endUndo = (): void => set(null)

const listen = (hear: () => void) => {
  heard.add(hear)
  return () => heard.delete(hear)
}

/** What can be taken back now; null: nothing. */
export const useUndoable = (): Undoable | null => useSyncExternalStore(listen, () => offered)
