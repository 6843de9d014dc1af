import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { encode } from 'uqr'

/** Modules of white around the code. */
const QUIET = 4

/** What is dark of the picture, module by module, and its colours as they are drawn. */
const DRAWN = `(() => {
  const svg = document.querySelector('[role=dialog] svg[role=img]')
  const [ground, code] = svg.children
  const { width, height } = svg.viewBox.baseVal
  const point = svg.createSVGPoint()
  const isDark = (x, y) => {
    point.x = x + 0.5
    point.y = y + 0.5
    return code.isPointInFill(point)
  }
  return {
    modules: Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => isDark(x, y))),
    covers: ground.getBBox().width === width && ground.getBBox().height === height,
    colours: [ground, code].map((one) => getComputedStyle(one).fill),
  }
})()`

interface Drawn {
  readonly modules: readonly (readonly boolean[])[]
  readonly covers: boolean
  readonly colours: readonly string[]
}

/** The QR code of the dialog says this text, black on white in either look, with the white around it that it needs. */
export async function requireScanned(page: Page, text: string): Promise<void> {
  await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
  const { data } = encode(text, { ecc: 'M', border: 0 })
  const white = (length: number) => Array.from({ length }, () => false)
  const across = data.length + 2 * QUIET
  const expected = [
    ...Array.from({ length: QUIET }, () => white(across)),
    ...data.map((row) => [...white(QUIET), ...row, ...white(QUIET)]),
    ...Array.from({ length: QUIET }, () => white(across)),
  ]
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const drawn = (await page.evaluate(DRAWN)) as Drawn
    assert.deepEqual(drawn.modules, expected, 'its modules')
    assert.equal(drawn.covers, true, 'the white below it')
    assert.deepEqual(drawn.colours, ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'], colorScheme)
  }
}
