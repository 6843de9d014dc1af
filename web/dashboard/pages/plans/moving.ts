import { useEffect, useRef } from 'react'

interface Moving {
  /** What is moved, in the ids of its buttons. */
  readonly kind: string
  readonly rows: readonly { readonly id: string }[]
  /** Is told the ids in their new order. */
  readonly reorder: (ids: readonly string[]) => void
}

interface Moved {
  /** The ids as they stand once it was moved. */
  readonly order: string
  /** The one to stay on, and where that is disabled the other. */
  readonly buttons: readonly string[]
}

const orderOf = (rows: Moving['rows']): string => rows.map(({ id }) => id).join()

/** Moves rows by the buttons of each; who moves one stays on its button. */
export function useMoving({ kind, rows, reorder }: Moving) {
  const idOf = (way: 'up' | 'down', id: string) => `${kind}-${way}-${id}`
  const moved = useRef<Moved | null>(null)
  useEffect(() => {
    // Rows that are read again meanwhile stand in their former order.
    if (moved.current === null || orderOf(rows) !== moved.current.order) return
    const [button, other] = moved.current.buttons.map((id) => document.getElementById(id))
    moved.current = null
    const next = button instanceof HTMLButtonElement && !button.disabled ? button : other
    next?.focus()
  }, [rows])
  const move = (at: number, by: -1 | 1) => {
    const ids = rows.map(({ id }) => id)
    const [id] = ids.splice(at, 1)
    if (id === undefined) return
    ids.splice(at + by, 0, id)
    const buttons = [idOf('up', id), idOf('down', id)]
    moved.current = { order: ids.join(), buttons: by < 0 ? buttons : buttons.toReversed() }
    reorder(ids)
  }
  return { idOf, move }
}
