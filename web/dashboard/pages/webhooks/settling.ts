import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** How often a page asks what became of what was sent, milliseconds, and how many times. */
const AGAIN_MS = 1_000
const TIMES = 15

/** Asks again for all that a page shows of a webhook for a while, once something is on its way to it. */
export function useSettling(own: string): () => void {
  const queries = useQueryClient()
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return
    const timer = window.setTimeout(() => {
      setLeft(left - 1)
      void queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(own) })
    }, AGAIN_MS)
    return () => window.clearTimeout(timer)
  }, [left, own, queries])
  return () => setLeft(TIMES)
}
