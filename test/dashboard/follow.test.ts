// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SETTLE_MS } from '../../src/catalogue/sandbox/sandbox-times.ts'
import { transaction } from '../../src/context.ts'
import { deliverEvents } from '../../src/events/delivery/deliver-events-job.ts'
import { recordEvents } from '../../src/events/log/record.ts'
import { systemScope } from '../../src/access/scope.ts'
import { advanceSandboxes } from '../../src/jobs/advance-sandboxes.ts'
import { runDue } from '../../src/jobs/worker.ts'
import { DAY } from '../../src/lib/time.ts'
import { openSandboxCheckout } from '../checkouts.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { startReceiver, type Receiver } from '../webhooks.ts'
import { press } from './hands.ts'
import { requireForgotten } from './kept.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('following what happened in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  let receiver: Receiver
  before(async () => {
    app = await startSellerApp('dashboard_follow')
    // A receiver on this machine.
    Object.assign(app.ctx, { config: { ...app.ctx.config, mode: 'development' } })
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver.close()
    await app.close()
  })

  const scope = () => systemScope({ developerId: app.demo.developerId, productId: app.demo.productId })

  /** A license that somebody bought in the sandbox with a token of it; its id. */
  async function bought(method: string): Promise<number> {
    const { id: pricingId } = await app.ctx.db
      .selectFrom('pricing')
      .innerJoin('plans', 'plans.id', 'pricing.plan_id')
      .select('pricing.id')
      .where('plans.product_id', '=', app.demo.productId)
      .where('pricing.annual_price', 'is not', null)
      .orderBy('pricing.id')
      .executeTakeFirstOrThrow()
    const email = 'dunned@example.com'
    const token = await transaction(app.ctx, (tx) => openSandboxCheckout(tx, scope(), { pricingId, email }))
    const reply = await fetch(`${app.address}/v1/checkout/sessions/${token}/pay.json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payment_token: method, is_waiver_accepted: true }),
    })
    const { license_id: id } = (await reply.json()) as { readonly license_id?: string }
    return Number(id ?? assert.fail('was not bought'))
  }

  test('a year on the clock with a dunning and its recovery, and the timeline says it', async (t) => {
    const id = await bought('test_renewal_attempt_3')
    const { page, faults } = await app.at(t, 'sandbox?mode=test', 'Sandbox clock')
    for (const by of ['+1 year', '+1 month']) {
      await press(page, by)
      await page
        .getByText(/fall due on the way|falls? due/)
        .first()
        .waitFor()
      await press(page, 'Move the clock')
      await page.getByText('Moving').waitFor()
      await runDue(app.ctx, [advanceSandboxes])
      app.ctx.clock.advance(SETTLE_MS)
      await page.getByText(/The clock is ready\./).waitFor()
    }
    await page.goto(`${app.product}/licenses/${id}?mode=test`)
    const entries = page.getByRole('table', { name: 'Timeline' }).getByRole('row')
    await entries.nth(1).waitFor()
    await requireAccessibleEverywhere(page, 'timeline')
    const told = (await entries.allTextContents()).slice(1).toReversed()
    const story = [
      'Mail that a renewal is near',
      'Renewal failed',
      'Mail that the renewal failed',
      'Renewal is tried again',
      'Renewal failed',
      'Renewal is tried again',
      'Paid',
      'License was extended',
    ]
    let from = 0
    for (const line of story) {
      const at = told.findIndex((text, place) => place >= from && text.includes(line))
      assert.ok(at >= 0, `${line} after ${told[from - 1] ?? 'the beginning'} in ${told.join(' | ')}`)
      assert.match(told[at] ?? '', /sandbox clock/)
      from = at + 1
    }
    await page.getByRole('button', { name: 'Show older' }).click()
    await entries.getByText('License was issued').waitFor()
    assert.deepEqual(faults, [])
  })

  test('what a seller does with a customer stands in the timeline with the name of who did it', async (t) => {
    const { page } = await app.at(t, 'customers/1', 'Amara Okafor')
    await press(page, 'Write a note')
    await page.getByRole('textbox', { name: 'Note' }).fill('Called twice <b>')
    await press(page, 'Save note')
    const deed = page
      .getByRole('table', { name: 'Timeline' })
      .getByRole('row')
      .filter({ hasText: 'Wrote a note on the customer' })
    await deed.getByText('Dana Demo').waitFor()
    await page.getByRole('table', { name: 'Timeline' }).getByText('Called twice <b>').waitFor()
    await deed.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    await page.getByRole('table').getByText('keywright/create-note-of-user').waitFor()
  })

  test('another secret is made with hours in which both sign', async (t) => {
    const { page } = await app.at(t, 'webhooks/1', /^https:/)
    const dialog = page.getByRole('dialog')
    await press(page, 'Make another secret')
    await dialog.getByLabel('Hours that both sign').fill('900')
    await dialog.getByRole('button', { name: 'Make another secret' }).click()
    await dialog.locator('[aria-invalid=true]').waitFor()
    await dialog.getByLabel('Hours that both sign').fill('2')
    await dialog.getByRole('button', { name: 'Make another secret' }).click()
    const secret = String(await dialog.getByText(/^whsec_/).textContent())
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await requireForgotten(page, secret)
    const { previous_until: until } = await app.ctx.db
      .selectFrom('webhooks')
      .select('previous_until')
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    assert.ok((until ?? 0) - app.ctx.clock.real() <= 2 * 3_600_000)
    assert.ok((until ?? 0) > app.ctx.clock.real())
  })

  test('who adds a webhook sees what each type of event means, and chooses by that', async (t) => {
    const { page, faults } = await app.at(t, 'webhooks', 'Webhooks')
    await press(page, 'Add a webhook')
    const form = page.getByRole('dialog')
    await form.getByLabel('Events', { exact: true }).fill('license.created')
    const types = form.getByRole('group', { name: 'What each type means' })
    await types.getByText(/^license\.\* 1 \/ \d+$/).waitFor()
    await types.getByText(/^payment\.\* \d+$/).click()
    await types.getByText('A payment, also of a renewal').waitFor()
    await requireAccessibleEverywhere(page, 'types with their meanings')
    await page.setViewportSize({ width: 1280, height: 800 })
    await types.getByRole('checkbox', { name: 'payment.created' }).check()
    assert.equal(
      await form.getByLabel('Events', { exact: true }).inputValue(),
      'license.created, payment.created',
    )
    await types.getByRole('checkbox', { name: 'payment.created' }).uncheck()
    assert.equal(await form.getByLabel('Events', { exact: true }).inputValue(), 'license.created')
    assert.deepEqual(faults, [])
  })

  test('what all webhooks are sent is narrowed by its state and its type, and leads to the webhook, which says how it fared', async (t) => {
    const { page, faults } = await app.at(t, 'webhooks', 'Webhooks')
    await page.getByRole('link', { name: 'Deliveries' }).click()
    const main = page.getByRole('main')
    await main.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor()
    await main.getByRole('link', { name: 'Webhooks', exact: true }).waitFor()
    await page.locator('nav a[aria-current=page]', { hasText: 'Webhooks' }).waitFor()
    await press(page, 'Failed')
    await page.waitForURL(/filter=error/)
    await page.getByRole('row').nth(1).getByText('Failed').waitFor()
    const type = await page.getByRole('row').nth(1).getByRole('cell').nth(1).innerText()
    await page.getByRole('searchbox').fill(type)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('q') === type)
    const cells = page.getByRole('row').nth(1).getByRole('cell')
    await cells.nth(1).getByText(type, { exact: true }).waitFor()
    await requireAccessibleEverywhere(page, 'deliveries of all webhooks')
    await page.setViewportSize({ width: 1280, height: 800 })
    await cells.nth(3).getByRole('link').click()
    const fared = page.getByRole('region', { name: 'The last 30 days' })
    await fared.getByText(/^Half of the answers came within /).waitFor()
    await fared.getByRole('slider').focus()
    await page.keyboard.press('Home')
    await fared.getByText(/: Taken \d+, Failed \d+$/).waitFor()
    await fared.getByText('Show as table').click()
    await fared.getByRole('columnheader', { name: '95 % within' }).waitFor()
    await requireAccessibleEverywhere(page, 'a webhook with its figures')
    assert.deepEqual(faults, [])
  })

  test('webhook down, replayed by range', async (t) => {
    const { page: adding } = await app.at(t, 'webhooks#create', 'Webhooks')
    const form = adding.getByRole('dialog')
    await form.getByLabel('Address').fill(receiver.url)
    await form.getByLabel('Events').fill('user.name.changed')
    await form.getByRole('button', { name: 'Add a webhook' }).click()
    await form.getByText(/^whsec_/).waitFor()
    const secret = (await form.getByText(/^whsec_/).textContent()) ?? ''
    receiver.answer = (response) => {
      response.statusCode = 500
      response.end('the <b>disk</b> is full')
    }
    const happen = (n: number) =>
      transaction(app.ctx, (tx) =>
        recordEvents(tx, scope(), [{ type: 'user.name.changed', userId: 1, data: { n: String(n) } }]),
      )
    for (const n of [1, 2, 3]) await happen(n)
    // Until the attempts of each are used up.
    for (let attempt = 0; attempt < 30; attempt++) {
      await runDue(app.ctx, [deliverEvents])
      app.ctx.clock.advance(DAY * 1.2)
    }
    receiver.answer = (response) => response.end('ok')
    receiver.received.length = 0

    // Days later the login has ended.
    const session = await app.sessionOf(app.demo.developerId)
    const { page, faults, allows } = await app.at(t, 'webhooks', 'Webhooks', session)
    allows('400 /resend.json')
    const dialog = page.getByRole('dialog')
    await page.getByRole('link', { name: receiver.url }).click()
    const attempts = page.getByRole('table', { name: 'Attempts' })
    await attempts.getByText('500').first().waitFor()
    await page
      .getByRole('button', { name: /^Details: #/ })
      .first()
      .click()
    await dialog.getByText('the <b>disk</b> is full').waitFor()
    await dialog.getByText('"type": "user.name.changed"').waitFor()
    await requireAccessibleEverywhere(page, 'an attempt')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByRole('button', { name: 'Close' }).click()

    await press(page, 'Send events again')
    await requireAccessibleEverywhere(page, 'send again')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByLabel('From').fill('yesterday')
    await dialog.getByRole('button', { name: 'Send events again' }).click()
    await dialog.locator('[aria-invalid=true]').waitFor()
    await dialog.getByLabel('From').fill('2020-01-01')
    await dialog.getByLabel('Which').selectOption('Failed')
    await dialog.getByRole('button', { name: 'Send events again' }).click()
    await dialog.getByText('3 on their way again.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await page.getByRole('table', { name: 'Waiting' }).getByRole('row').nth(3).waitFor()
    await runDue(app.ctx, [deliverEvents])
    await page.getByText('Nothing waits').waitFor()
    await attempts.getByText('200').nth(2).waitFor()
    assert.deepEqual(
      receiver.received.map(({ event }) => event.data.n),
      ['1', '2', '3'],
    )

    const [got] = receiver.received
    await page.clock.setFixedTime(app.ctx.clock.real())
    const check = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Check a signature' }) })
    await check.getByLabel('Signing secret').fill(secret)
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      await check.getByLabel(name).fill(String(got?.headers[name]))
    }
    await check.getByLabel('Body').fill(got?.body ?? '')
    await check.getByRole('button', { name: 'Check' }).click()
    await check.getByText('Signed by this server with this secret.').waitFor()
    await check.getByLabel('Body').fill(`${got?.body} `)
    await check.getByRole('button', { name: 'Check' }).click()
    await check.getByText(/^Not signed with this secret/).waitFor()
    await check.getByRole('button', { name: 'Go', exact: true }).click()
    await check.getByText('package keywright').waitFor()
    await requireAccessibleEverywhere(page, 'a webhook')
    assert.deepEqual(faults, [])
  })
})
