// Runs on sqlite, in a browser.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hasBrowser } from '../web/browser.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

interface Month {
  readonly month: string
  readonly currency: string
  readonly mrr: number
  readonly group?: string | null
}

describe('figures of a product', { skip: !hasBrowser }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_figures')
  })
  after(() => app.close())

  const months = async (query: string): Promise<readonly Month[]> => {
    const path = `/v1/developers/${app.demo.developerId}/products/${app.demo.productId}/figures/mrr.json`
    const headers = { cookie: `keywright_session=${app.session}` }
    const reply = await fetch(`${app.address}${path}?${query}`, { headers })
    return ((await reply.json()) as { mrr: readonly Month[] }).mrr
  }
  const money = (amount: number, currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() }).format(amount)

  test('22: recurring revenue is told month by month in one currency, which is chosen and stands in the address', async (t) => {
    const { page, faults } = await app.at(t, 'figures', 'Figures')
    const figure = page.getByRole('region', { name: 'Recurring revenue' })
    const euro = (await months('')).filter(({ currency }) => currency === 'eur').at(-1) ?? assert.fail()
    await figure.getByRole('button', { name: 'EUR' }).click()
    await page.waitForURL(/currency=eur/)
    await figure.getByText(new RegExp(`: Recurring revenue ${money(euro.mrr, 'eur')}\\. Most of`)).waitFor()
    const moved = page.getByRole('region', { name: 'What moved it' })
    assert.equal(await moved.getByRole('button', { name: 'EUR' }).getAttribute('aria-pressed'), 'true')
    await figure.getByText('Show as table').click()
    for (const currency of ['€', '£', '$']) {
      assert.ok((await figure.getByRole('cell', { name: currency }).count()) > 0, currency)
    }
    assert.deepEqual(faults, [])
  })

  test('figures are told by plan and by country, with their names, and what cannot be is named', async (t) => {
    const { page, faults } = await app.at(t, 'figures', 'Figures')
    await page.getByRole('button', { name: 'Plan', exact: true }).click()
    await page.waitForURL(/by=plan/)
    const rows = (await months('group=plan')).filter(({ currency }) => currency === 'usd')
    const last = rows.at(-1)?.month
    const most =
      rows.filter(({ month }) => month === last).toSorted((one, other) => other.mrr - one.mrr)[0] ??
      assert.fail()
    const { title } = await app.ctx.db
      .selectFrom('plans')
      .select('title')
      .where('id', '=', Number(most.group))
      .executeTakeFirstOrThrow()
    const figure = page.getByRole('region', { name: 'Recurring revenue' })
    await figure.getByRole('button', { name: 'USD' }).click()
    const chart = figure.getByRole('slider', { name: 'Recurring revenue' })
    await chart.focus()
    await page.keyboard.press('Home')
    const told = `${title}: Recurring revenue ${money(most.mrr, 'usd')}`
    await figure.getByText(told).waitFor()
    assert.equal(await chart.getAttribute('aria-valuetext'), told)
    await page.getByText('Not told this way: Activations, Versions in use.').waitFor()
    await page.getByRole('button', { name: 'Country', exact: true }).click()
    await figure.getByText(/Most of Recurring revenue: \$[\d.,]+ \(United States\)/).waitFor()
    assert.deepEqual(faults, [])
  })

  test('trials say how many of them were bought, and what ends ahead what it is worth', async (t) => {
    const { page } = await app.at(t, 'figures?filter=month', 'Figures')
    const trials = page.getByRole('region', { name: 'Trials' })
    const text = (await trials.getByText(/^In all: Started/).textContent()) ?? ''
    const [started, converted] = [/Started (\d+)/, /Bought (\d+)/].map((part) => Number(part.exec(text)?.[1]))
    const rate = Math.round((Number(converted) / Number(started)) * 10_000) / 100
    await trials.getByText(`Bought: ${rate}% of the trials.`).waitFor()
    const worth = page.getByRole('region', { name: 'What ends is worth' })
    await worth.getByText(/In all: Renewing [$€£][\d.,]+, Lost [$€£][\d.,]+\./).waitFor()
  })

  test('each figure of recurring revenue begins with the currency that has most of it', async (t) => {
    const { page } = await app.at(t, 'figures?filter=month', 'Figures')
    const chosen = (name: string) =>
      page.getByRole('region', { name, exact: true }).getByRole('button', { pressed: true }).textContent()
    const most = await chosen('Recurring revenue')
    assert.equal(most, 'USD')
    assert.equal(await chosen('Churn'), most)
  })
})
