// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { addressOf, openPlace } from '../command-line.ts'
import { newUid } from '../installs.ts'
import { PASSWORD } from '../logins.ts'
import { hasBrowser, sharedBrowser } from '../web/browser.ts'
import { built } from '../web/built.ts'
import { watched } from '../web/watched.ts'
import { dialog } from './hands.ts'

/** Counts what a person does: each click, and each field that is typed into. */
class Hand {
  steps = 0

  async click(what: Locator): Promise<void> {
    this.steps += 1
    await what.click()
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.steps += 1
    await field.fill(text)
  }
}

test(
  'from an empty database to the first verified license by clicks alone, in under 20 steps',
  { skip: !hasBrowser && 'no browser here' },
  async (t) => {
    await built()
    const place = await openPlace(t, 'first-license')
    const server = await place.start(['serve'])
    const address = addressOf(server)
    const owner = ['bootstrap', '--email', 'sam@example.com']
    const { sign_in_link: link } = await place.ask(owner, { input: `${PASSWORD}\n` })
    const { page, faults, close } = await watched(await sharedBrowser(), { origins: [address] })
    t.after(close)
    const hand = new Hand()
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const inDialog = (name: string) => dialog(page).getByRole('button', { name, exact: true })

    await page.goto(link)
    await hand.click(button('Log in'))
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await hand.click(page.getByRole('link', { name: 'Create a product' }))
    await hand.fill(dialog(page).getByLabel('Title'), 'My product')
    await hand.click(inDialog('Create a product'))
    await page.getByRole('dialog', { name: 'Create a plan' }).waitFor()
    await hand.fill(dialog(page).getByLabel('Title'), 'Pro')
    await hand.click(inDialog('Create a plan'))
    await page.getByRole('dialog', { name: 'Add a price: Pro' }).waitFor()
    await hand.fill(dialog(page).getByLabel('Price: Yearly'), '49')
    await hand.click(inDialog('Add a price'))
    await page.getByRole('table', { name: 'Pro' }).getByText('$49.00').waitFor()

    await hand.click(page.getByRole('link', { name: 'Licenses', exact: true }))
    await hand.click(button('Issue a license'))
    await hand.click(inDialog('Issue license'))
    await page.getByRole('heading', { level: 1, name: /^License #/ }).waitFor()
    await hand.click(button('Show'))
    const key = (await page.locator('code').getByText(/^sk_/).textContent()) ?? ''
    await hand.click(button('Try an activation'))
    await hand.click(inDialog('Activate'))
    await dialog(page).getByText('Activated, and verified: the license is valid there.').waitFor()
    await hand.click(inDialog('Done'))
    await page.getByRole('table', { name: 'Active on' }).getByText('my-site.test').waitFor()

    await hand.click(page.getByRole('link', { name: 'Home', exact: true }))
    await page.getByText('Activate a license (done)').waitFor()

    t.diagnostic(`${hand.steps} steps`)
    assert.ok(hand.steps < 20, `${hand.steps} steps`)
    await requireClient(address, key)
    await page.getByRole('link', { name: 'Installs', exact: true }).click()
    await page.getByRole('link', { name: 'https://shop.example.com' }).waitFor()
    assert.deepEqual(faults, [])
  },
)

/** Does with the key what a client does, without a credential: it activates it, and verifies that. */
async function requireClient(address: string, key: string): Promise<void> {
  const uid = newUid()
  const body = JSON.stringify({ license_key: key, uid, url: 'https://shop.example.com' })
  const headers = { 'content-type': 'application/json' }
  const activate = `${address}/v1/products/1/licenses/activate.json`
  const activated = await fetch(activate, { method: 'POST', headers, body })
  const { install_id: install } = (await activated.json()) as { readonly install_id?: string }
  assert.equal(activated.status, 200)
  const asked = new URLSearchParams({ uid, license_key: key })
  const verified = await fetch(`${address}/v1/products/1/installs/${install}/license.json?${asked}`)
  assert.equal(((await verified.json()) as { readonly valid?: boolean }).valid, true)
}
