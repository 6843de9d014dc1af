import { useRef } from 'react'
import type { Problem } from '../shared/call.ts'

/** Whether nobody can tell if a write was done: its answer was lost, or another try of it is still in work. */
const isUnknown = ({ status, code }: Problem): boolean =>
  status === 0 || status >= 500 || code === 'idempotency_in_flight'

/**
 * The `Idempotency-Key` of a form. A write of which nobody can tell whether it was done has the same key when it is sent
 * again as it was, so that it is done once; after an answer, or changed, it is another request.
 */
export function useOnce() {
  const kept = useRef<{ readonly key: string; readonly sent: string } | null>(null)
  return {
    keyOf(sent: string): string {
      if (kept.current?.sent !== sent) kept.current = { key: crypto.randomUUID(), sent }
      return kept.current.key
    },
    /** Null: it was done. */
    answered(problem: Problem | null): void {
      if (problem === null || !isUnknown(problem)) kept.current = null
    },
  }
}
