/**
 * What a page that is not built does in the frame of a shop: it says that it is there, as the shop stays dimmed until
 * then, and closes by Escape, its button and the shop's own `close`. Elsewhere it tells nobody anything. The protocol is
 * that of the checkout (`web/shared/frame.ts`). An address with a hash is opened again by it: browsers take the header
 * `refresh` for a way to that place of the same page.
 */
export const WAITING_SCRIPT = `
const shop = () => {
  if (parent === window || new URLSearchParams(location.search).get('mode') === 'dashboard') return null
  try {
    const { origin, protocol } = new URL(decodeURIComponent(location.hash.slice(1)))
    return /^https?:$/.test(protocol) ? origin : null
  } catch {
    return null
  }
}
const origin = shop()
if (origin !== null) {
  const tell = (type, data = null) => parent.postMessage(JSON.stringify({ type, data }), origin)
  const close = () => tell('canceled')
  const button = document.querySelector('button')
  button.hidden = false
  button.onclick = close
  onkeydown = ({ key }) => key === 'Escape' && close()
  onmessage = (event) => {
    if (event.source === parent && event.origin === origin && /"type":\\s*"close"/.test(event.data)) close()
  }
  tell('track', { event: 'load' })
  tell('loaded')
  button.focus()
}
const { again } = document.querySelector('main').dataset
if (again && location.hash !== '') setTimeout(() => location.reload(), again * 1000)
`

/** The body of that page, which says `text` (HTML), and is opened again after `again` seconds; null: it is not. */
export const waitingBody = (text: string, again: number | null): string =>
  `<main${again === null ? '' : ` data-again="${again}"`}><h1>Keywright</h1><p>${text}</p><button hidden>Close</button></main><script>${WAITING_SCRIPT}</script>`
