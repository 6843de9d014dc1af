import { lookAt } from './look.ts'
import { originOf } from './overlay-checkout.ts'

/** Where a table is put: `<div data-keywright-pricing="12" data-currency="eur"></div>`. */
const PLACE = '[data-keywright-pricing]'

const origin = originOf(document.currentScript)

/** Puts the pricing table of each place into it, in the look of the place, as high as it says. */
function showTables(): void {
  for (const place of document.querySelectorAll<HTMLElement>(PLACE)) {
    const { keywrightPricing: product = '', ...options } = place.dataset
    const query = Object.entries(options).map(([name, value = '']) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ])
    const frame = document.createElement('iframe')
    frame.title = place.title || document.title
    frame.style.cssText = 'width: 100%; border: 0; height: 600px'
    const asked = new URLSearchParams([...Object.entries(lookAt(place)), ...query])
    frame.src = `${origin}/pricing/product/${encodeURIComponent(product)}/?${asked}`
    place.replaceChildren(frame)
    addEventListener('message', (event: MessageEvent<unknown>) => {
      const height = event.source === frame.contentWindow ? heightIn(event) : null
      if (height !== null) frame.style.height = `${height}px`
    })
  }
}

function heightIn({ data, origin: from }: MessageEvent<unknown>): number | null {
  if (from !== origin || typeof data !== 'string') return null
  const said = JSON.parse(data) as { readonly type?: unknown; readonly data?: { readonly height?: unknown } }
  return said.type === 'height' && typeof said.data?.height === 'number' ? said.data.height : null
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', showTables)
else showTables()
