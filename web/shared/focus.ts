import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * An element that has the focus when it appears: what is read next where something took the place of something else. A
 * page in a frame that does not scroll leaves the one around it where it is, by `preventScroll`.
 */
export function useFocus<T extends HTMLElement>(options: FocusOptions = {}) {
  const element = useRef<T>(null)
  useLayoutEffect(() => element.current?.focus(options), [])
  return element
}
