import { hydrate } from 'preact'
import { Pricing, type Shown } from './Pricing.tsx'
import './style.css'

const app = document.getElementById('app')
const shown = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as Shown | null
if (app && shown) hydrate(<Pricing {...shown} />, app)

// A page that holds this one in a frame makes the frame as high as it is.
if (window.parent !== window) {
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
    window.parent.postMessage(JSON.stringify({ type: 'height', data: { height } }), '*')
  }).observe(document.documentElement)
}
