import { useEffect, useState, type ComponentType } from 'react'

/**
 * A hook for a part of a page whose code is loaded by itself, where it is wanted: the part, or null until it is there.
 * What fails to load is thrown where it is drawn. React's `Suspense` would hold back what it waited for until 300 ms
 * after it began to wait.
 */
export function loadedLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (isWanted?: boolean) => ComponentType<Props> | null {
  let part: ComponentType<Props> | null = null
  return function useLoaded(isWanted = true) {
    const [loaded, setLoaded] = useState(() => part)
    useEffect(() => {
      if (loaded || !isWanted) return
      load().then(
        (one) => {
          part = one
          setLoaded(() => one)
        },
        (error: unknown) =>
          setLoaded(() => {
            throw error
          }),
      )
    }, [loaded, isWanted])
    return loaded
  }
}

/** A component for a part whose code is loaded by itself, as by `loadedLater`: it draws nothing until that is there. */
export function drawnLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const useLoaded = loadedLater(load)
  return function Later(props: Props) {
    const Part = useLoaded()
    return Part && <Part {...props} />
  }
}
