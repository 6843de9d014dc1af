import { hydrate } from 'preact'
import { watchHeight } from '../shared/frame.ts'
import { Pricing, type Shown } from './Pricing.tsx'
import './style.css'

const app = document.getElementById('app')
const shown = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as Shown | null
if (app && shown) hydrate(<Pricing {...shown} />, app)

// A page that holds this one in a frame makes the frame as high as it is.
if (window.parent !== window) {
  watchHeight((height) => {
    window.parent.postMessage(JSON.stringify({ type: 'height', data: { height } }), '*')
  })
}
