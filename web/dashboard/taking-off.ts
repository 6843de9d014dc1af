import { useRef } from 'react'
import { useDoing, type Sent } from '../ui/doing.tsx'
import { offerUndo } from '../ui/undo.ts'

interface Taken<T> {
  /** What is deleted. */
  readonly pathOf: (one: T) => string
  /** What was done, in words. */
  readonly said: (one: T) => string
  readonly again: (one: T) => Sent
}

/** Takes something off, and puts it there again where that is undone. */
export function useTakingOff<T>({ pathOf, said, again }: Taken<T>) {
  const taken = useRef(new Map<string, T>())
  const restoring = useDoing(() => undefined)
  const removing = useDoing((_, { path }) => {
    const one = taken.current.get(path)
    if (one !== undefined) offerUndo({ text: said(one), undo: () => restoring.send(again(one)) })
  })
  return {
    problem: restoring.problem ?? removing.problem,
    takeOff: (one: T) => {
      taken.current.set(pathOf(one), one)
      removing.send({ method: 'DELETE', path: pathOf(one) })
    },
  }
}
