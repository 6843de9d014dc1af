/** The page around this one: a shop, or a dashboard of WordPress. */
export interface Frame {
  /** Its origin, the only one that is told anything. */
  readonly origin: string
  readonly mode: 'dialog' | 'dashboard'
}

/** The page around this one, by the hash of the address; null: there is none. */
export function frameOf(search: string, hash: string): Frame | null {
  if (window.parent === window) return null
  const mode = new URLSearchParams(search).get('mode')
  try {
    const { origin, protocol } = new URL(decodeURIComponent(hash.slice(1)))
    if (protocol !== 'https:' && protocol !== 'http:') return null
    return { origin, mode: mode === 'dashboard' ? 'dashboard' : 'dialog' }
  } catch {
    return null
  }
}

/** Tells the page around this one something, as text: it reads nothing else. */
export function send({ origin }: Frame, type: string, data: object | null): void {
  window.parent.postMessage(JSON.stringify({ type, data }), origin)
}

/** Hears what the page around this one says; returns what ends that. */
export function listen(frame: Frame, heard: (type: string, data: unknown) => void): () => void {
  const listener = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || origin !== frame.origin || typeof data !== 'string') return
    const said = messageIn(data)
    if (said) heard(said.type, said.data)
  }
  window.addEventListener('message', listener)
  return () => window.removeEventListener('message', listener)
}

/** Says how high the document is, as often as that changes: for a frame that does not scroll. */
export function watchHeight(changed: (height: number) => void): void {
  new ResizeObserver(() => {
    changed(Math.ceil(document.documentElement.getBoundingClientRect().height))
  }).observe(document.documentElement)
}

function messageIn(text: string): { readonly type: string; readonly data: unknown } | null {
  try {
    const said = JSON.parse(text) as { readonly type?: unknown; readonly data?: unknown } | null
    return typeof said?.type === 'string' ? { type: said.type, data: said.data } : null
  } catch {
    return null
  }
}
