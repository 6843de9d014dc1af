import { useEffect, useState } from 'preact/hooks'
import { problemOf } from '../store.ts'
import { usePage } from '../page.ts'

/** A part that some buyers need, loaded when it is shown; null until it is there. */
export function useLoaded<T>(load: () => Promise<T>): T | null {
  const { store } = usePage()
  const [part, show] = useState<T | null>(null)
  useEffect(() => {
    load().then(
      (loaded) => show(() => loaded),
      (error: unknown) => store.refuse(problemOf(error)),
    )
  }, [])
  return part
}
