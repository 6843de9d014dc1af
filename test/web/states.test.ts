// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { asDeveloper } from '../callers.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { fillIn, hostedCheckout, payButton, thanked, type Hosted } from './hosted.ts'
import { requireAccessibleEverywhere } from './watched.ts'

type Query = Readonly<Record<string, string>>

/** A state of the page: where it is opened, and what is done there. */
interface Reach {
  query?(): Promise<Query>
  act?(page: Page): Promise<unknown>
  /** What the server refuses on the way there, or does not answer. */
  readonly refused?: string
}

describe('every state of a checkout', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let hosted: Hosted
  let browser: Browser
  before(async () => {
    app = await startWebApp('web_states')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  const alerted = (page: Page, text: string | RegExp) => page.getByRole('alert').getByText(text).waitFor()
  const reads = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
  const chosen = async (page: Page, token: string, email = `state${Math.random()}@example.com`) => {
    await fillIn(page, email)
    await page.getByLabel('Test payment').selectOption(token)
    await payButton(page).click()
  }

  async function makePlan(name: string, plan: object): Promise<Query> {
    const developer = await asDeveloper(app)
    const made = await developer('POST', `${hosted.shop.base}/plans.json`, { name, title: name, ...plan })
    const prices = { licenses: 1, currency: 'usd', annual_price: 60 }
    await developer('POST', `${hosted.shop.base}/plans/${made.json.id}/pricing.json`, prices)
    return { plan_id: made.json.id as string, trial: '1' }
  }

  async function linkFor(link: object): Promise<Query> {
    const { id } = await hosted.shop.buy()
    const made = await app.call('POST', `${hosted.shop.base}/licenses/${id}/checkout/link.json`, {
      body: link,
    })
    return { license_id: id, ...made.json.settings, plan_id: hosted.shop.plans.basic } as Query
  }

  const changeOf = async (bought: 'basic' | 'pro', wanted: 'basic' | 'pro'): Promise<Query> => {
    const { plans } = hosted.shop
    const { key } = await hosted.shop.buy({ plan_id: plans[bought] })
    return { license_key: key, plan_id: plans[wanted] }
  }

  const STATES: Readonly<Record<string, Reach>> = {
    'of no product': {
      refused: '404 /sessions.json',
      query: async () => ({ product_id: '999999', plan_id: '1' }),
      act: (page) => page.getByRole('heading', { name: 'This checkout cannot be opened' }).waitFor(),
    },
    'without a connection': {
      refused: 'unanswered',
      async act(page) {
        await page.route('**/v1/**', (route) => route.abort())
        await page.getByLabel('Email address').fill('away@example.com')
        await page.getByLabel('Email address').blur()
        await reads(page, 'No connection.')
      },
    },
    'whose gateway does not answer': {
      refused: '503 /pay.json',
      async act(page) {
        await chosen(page, 'test_unreachable')
        await alerted(page, /payment service does not answer/)
      },
    },
    'bought a moment ago': {
      refused: '400 /pay.json',
      async act(page) {
        await chosen(page, 'test_succeeds', 'again@example.com')
        await thanked(page)
        await page.goto(hosted.addressOf({ user_firstname: 'Ada' }))
        await chosen(page, 'test_succeeds', 'again@example.com')
        await alerted(page, /You have just bought this/)
      },
    },
    'for a company whose VAT ID is none': {
      refused: '400 /sessions/',
      async act(page) {
        await page.getByLabel('Country').selectOption('DE')
        await page.getByRole('button', { name: 'I buy for a company' }).click()
        await page.getByLabel('VAT ID').fill('DE1')
        await page.getByLabel('VAT ID').blur()
        await reads(page, /VAT ID/)
      },
    },
    'that renews a license': { query: () => changeOf('basic', 'basic') },
    'that upgrades one, with a credit': {
      query: () => changeOf('basic', 'pro'),
      act: (page) => reads(page, /^Credit for/),
    },
    'that downgrades one': { query: () => changeOf('pro', 'basic') },
    'that begins a free trial': {
      query: () => makePlan('tried', { trial_period: 14 }),
      act: (page) => reads(page, /^Your trial ends on/),
    },
    'that begins a paid trial': {
      query: () => makePlan('paid-trial', { trial_period: 14, is_require_subscription: true }),
      act: (page) => reads(page, /^Your trial ends on/),
    },
    'that replaces a method of payment': {
      query: () => linkFor({ is_payment_method_update: true }),
      act: (page) => page.getByRole('button', { name: 'Save the payment method' }).waitFor(),
    },
    'of which nothing is to be paid': {
      async query() {
        const body = { code: `GIFT${Math.random()}`.slice(0, 12), discount: 100, discount_type: 'percentage' }
        const made = await app.call('POST', `${hosted.shop.base}/coupons.json`, { body })
        assert.equal(made.status, 201, made.text)
        return { coupon: body.code, billing_cycle: 'lifetime' }
      },
      act: (page) => reads(page, 'Nothing to pay today.'),
    },
    'in German, thanked for': {
      query: async () => ({ locale: 'de' }),
      async act(page) {
        await page.getByRole('button', { name: 'Formular ausfüllen' }).click()
        await page.getByLabel('E-Mail-Adresse').fill('danke@example.com')
        await payButton(page).click()
        await page.getByRole('heading', { name: /Danke/ }).waitFor()
      },
    },
  }

  for (const [name, { query, act, refused }] of Object.entries(STATES)) {
    test(`one ${name} is accessible in light and dark, at every width, without faults`, async (t) => {
      const { page, faults, allows } = await hosted.open(t, await query?.())
      if (refused !== undefined) allows(refused)
      await act?.(page)
      await requireAccessibleEverywhere(page, name)
      assert.deepEqual(faults, [])
    })
  }
})
