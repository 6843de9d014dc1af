import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { changeShop, type ChangeShop } from '../license-changes.ts'
import { watched, type Allowed, type Watched } from './watched.ts'

export interface Hosted {
  readonly shop: ChangeShop
  /** The address of the checkout of the dearer plan, in the sandbox. */
  addressOf(more?: Readonly<Record<string, string>>): string
  /** Opens it in a page of the test. */
  open(t: TestContext, more?: Readonly<Record<string, string>>, options?: Allowed): Promise<Watched>
}

/** The hosted checkout of the first product, whose plans are `basic` and `pro`. */
export async function hostedCheckout(app: TestApp, browser: Browser): Promise<Hosted> {
  const shop = await changeShop(app)
  const addressOf: Hosted['addressOf'] = (more = {}) => {
    const query = new URLSearchParams({ ...shop.sandbox(), plan_id: shop.plans.pro, ...more })
    return `${app.address}/checkout/product/${app.seller.product.id}/?${query}`
  }
  return {
    shop,
    addressOf,
    async open(t, more = {}, options = {}) {
      const opened = await watched(browser, {
        ...options,
        origins: [app.address, ...(options.origins ?? [])],
      })
      t.after(() => opened.close())
      await opened.page.goto(addressOf(more))
      await opened.page.locator('form, h1').first().waitFor()
      return opened
    },
  }
}

/** Fills in who buys, as the button of the sandbox does. */
export async function fillIn(page: Page, email = 'buyer@example.com'): Promise<void> {
  await page.getByRole('button', { name: 'Prefill the form' }).click()
  await page.getByLabel('State').waitFor()
  await page.getByLabel('Email address').fill(email)
}

/** Agrees to be given access at once, as consumers of the EU are asked to. */
export const waive = (page: Pick<Page, 'getByLabel'>) => page.getByLabel(/lose my right to withdraw/).check()

export const payButton = (page: Page) => page.locator('form button.primary')

export const thanked = (page: Page, name = 'Ada') =>
  page.getByRole('heading', { name: `Thank you, ${name}` }).waitFor()

/** Resolves when the server has what was typed last. */
export async function untilTyped({ ctx }: TestApp, email: string, first?: string): Promise<void> {
  const typed = () =>
    ctx.db
      .selectFrom('checkouts')
      .select('first')
      .where('email', '=', email)
      .where('first', '=', first ?? 'Ada')
      .executeTakeFirst()
  while (!(await typed())) await pause(20)
}

/** How often a payment was written down. */
export async function countPayments({ ctx }: TestApp): Promise<number> {
  const rows = await ctx.db.selectFrom('payments').select('id').execute()
  return rows.length
}
