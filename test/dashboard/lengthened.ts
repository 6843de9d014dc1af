import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { requireFits } from '../web/watched.ts'

/** Makes what is read two fifths longer, as other languages are; it stays in the page what it was before. */
const LENGTHEN = `(() => {
  window.asWritten = []
  const all = document.querySelectorAll('h1, h2, h3, p, label, legend, button, summary, th, dt, nav a, .state')
  for (const one of all)
    for (const text of one.childNodes)
      if (text.nodeType === 3 && text.data.trim() !== '') {
        window.asWritten.push([text, text.data])
        text.data += ' ' + 'lengthened '.repeat(9).slice(0, Math.ceil(text.data.length * 0.4))
      }
  return window.asWritten.length
})()`

const AS_WRITTEN = `(() => {
  for (const [text, data] of window.asWritten) text.data = data
  document.documentElement.removeAttribute('dir')
})()`

/** What begins or ends outside of the window. */
const OUTSIDE = `[...document.querySelectorAll('main *, [role=dialog] *')].filter((one) => {
  if (!one.checkVisibility() || one.closest('svg, select, pre, thead, .unseen')) return false
  const { left, right, width } = one.getBoundingClientRect()
  return width > 1 && (left < -1 || right > innerWidth + 1)
}).map((one) => one.outerHTML.slice(0, 100))`

const WIDTHS = [1280, 375, 320]

/** With longer words, from left to right and from right to left, nothing stands outside at any of the widths. */
export async function requireRoom(page: Page, name: string, widths = WIDTHS): Promise<void> {
  assert.ok(Number(await page.evaluate(LENGTHEN)) > 20, `${name} has words`)
  for (const dir of ['ltr', 'rtl']) {
    await page.evaluate(`document.documentElement.dir = '${dir}'`)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await requireFits(page, `${name}, ${dir}, ${width}`)
      assert.deepEqual(await page.evaluate(OUTSIDE), [], `${name}, ${dir}, ${width}`)
    }
  }
  await page.evaluate(AS_WRITTEN)
}
