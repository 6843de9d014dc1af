import { useEffect, useRef } from 'react'

interface Moving {
  /** What is moved, in the ids of its buttons. */
  readonly kind: string
  readonly rows: readonly { readonly id: string }[]
  /** Is told the ids in their new order. */
  readonly reorder: (ids: readonly string[]) => void
}

/** Moves rows by the buttons of each; who moves one stays on its button. */
export function useMoving({ kind, rows, reorder }: Moving) {
  const idOf = (way: 'up' | 'down', id: string) => `${kind}-${way}-${id}`
  const moved = useRef<readonly [string, string] | null>(null)
  useEffect(() => {
    const [button, other] = (moved.current ?? []).map((id) => document.getElementById(id))
    moved.current = null
    const next = button instanceof HTMLButtonElement && !button.disabled ? button : other
    next?.focus()
  }, [rows])
  const move = (at: number, by: -1 | 1) => {
    const ids = rows.map(({ id }) => id)
    const [id] = ids.splice(at, 1)
    if (id === undefined) return
    ids.splice(at + by, 0, id)
    moved.current = by < 0 ? [idOf('up', id), idOf('down', id)] : [idOf('down', id), idOf('up', id)]
    reorder(ids)
  }
  return { idOf, move }
}
