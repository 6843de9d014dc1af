import { useRef } from 'react'
import { useDoing, type Sent } from '../ui/doing.tsx'
import { offerUndo } from '../ui/undo.ts'

interface Undoable<T> {
  readonly sent: (one: T) => Sent
  /** What was done, in words. */
  readonly said: (one: T) => string
  /** What takes it back. */
  readonly back: (one: T) => Sent
}

/**
 * Does something at once, and takes it back where that is undone: what was really sent, as a press while another one is
 * under way sends nothing.
 */
export function useWithUndo<T>({ sent, said, back }: Undoable<T>) {
  const begun = useRef(new WeakMap<Sent, T>())
  const restoring = useDoing(() => undefined)
  const doing = useDoing((_, what) => {
    const one = begun.current.get(what)
    if (one !== undefined) offerUndo({ text: said(one), undo: () => restoring.send(back(one)) })
  })
  return {
    problem: restoring.problem ?? doing.problem,
    act: (one: T) => {
      const what = sent(one)
      begun.current.set(what, one)
      doing.send(what)
    },
  }
}
