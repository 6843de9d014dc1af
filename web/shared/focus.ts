import { useEffect, useRef } from 'preact/hooks'

/** An element that has the focus when it appears: what is read next where something took the place of something else. */
export function useFocus<T extends HTMLElement>() {
  const element = useRef<T>(null)
  useEffect(() => element.current?.focus({ preventScroll: true }), [])
  return element
}
