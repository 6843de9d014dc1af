// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { queueMail } from '../../src/mail/outbox.ts'
import { mailsTo } from '../mails.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { joinTeam, startSellerApp, type SellerApp } from './seller.ts'

const LINK = 'https://keys.example.com/portal/login?token=a-secret'

describe('mails and the server in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_selling')
  })
  after(() => app.close())

  /** A mail to a customer that was given up; its id. */
  async function givenUp(): Promise<number> {
    const { developerId, productId } = app.demo
    return transaction(app.ctx, async (tx) => {
      const to = { developerId, productId, userId: 1, recipient: 'given-up@example.com', name: '<b>Eve</b>' }
      await queueMail(tx, { ...to, template: 'portal_link', values: { link: LINK, minutes: 5 } })
      const { id } = await tx.db
        .updateTable('mails')
        .set({ state: 'failed', due_at: null, keep_until: 9_999_999_999_999, last_error: 'no such mailbox' })
        .where('recipient', '=', 'given-up@example.com')
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    })
  }

  test('an own text is written, refused for a value that there is none of, shown as it is sent, mailed to me and taken back', async (t) => {
    const { page, faults, allows } = await app.at(t, 'mail-texts', 'Own texts')
    allows('400 /preview.json')
    await page.locator('nav a[aria-current=page]', { hasText: 'Mails' }).waitFor()
    await page.getByRole('link', { name: 'License was cancelled' }).click()
    await page.getByRole('heading', { level: 1, name: 'License was cancelled' }).waitFor()
    const mail = page.frameLocator('iframe')
    await mail.getByText('Hello Ada,').waitFor()
    await page.getByRole('textbox', { name: 'Text' }).fill('Sorry to see you go, {{nmae}}.')
    await page.getByText('must not have {{nmae}}').waitFor()
    await requireAccessibleEverywhere(page, 'a text with a fault')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('textbox', { name: 'Text' }).fill('<img src=x onerror=alert(1)> farewell to ')
    // A fault that goes while a button is held does not move it away.
    await page.getByRole('button', { name: '{{plan}}' }).hover()
    await page.mouse.down()
    // A browser may load a frame no further while a button is held, and lays none out that is not in view.
    await page.locator('iframe[srcdoc*="farewell to"]').waitFor({ state: 'attached' })
    await page.mouse.up()
    await mail
      .getByText('<img src=x onerror=alert(1)> farewell to Professional')
      .waitFor({ state: 'attached' })
    assert.equal(await page.getByRole('button', { name: 'Mail me an example' }).isDisabled(), true)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Own text', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Mail me an example' }).click()
    await page.getByText('is on its way to you').waitFor()
    const person = await app.ctx.db
      .selectFrom('developers')
      .select('email')
      .where('id', '=', app.demo.developerId)
      .executeTakeFirstOrThrow()
    const [example] = (await mailsTo(app, person.email)).slice(-1)
    assert.match(example?.text ?? '', /farewell to Professional/)
    await page.getByRole('button', { name: 'Back to the built-in text' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Back to the built-in text' }).click()
    await page.getByText('Built in', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'German' }).click()
    await page.waitForURL(/language=de/)
    await mail.getByText('Guten Tag Ada,').waitFor({ state: 'attached' })
    assert.deepEqual(faults, [])
  })

  test('a mail that was given up is found, shows what it says but no link, and is sent again', async (t) => {
    const id = await givenUp()
    const { page, faults } = await app.at(t, 'mails?filter=failed&mode=test', 'Mails')
    await page.getByText('Nothing matches.').waitFor()
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await page.getByRole('link', { name: 'Link into the portal' }).first().click()
    await page.waitForURL(new RegExp(`mails/${id}`))
    await page.frameLocator('iframe').getByText('Open my account').waitFor()
    await page.getByText('no such mailbox').first().waitFor()
    assert.ok(!(await page.content()).includes('a-secret'))
    assert.equal(await page.frameLocator('iframe').locator('[href]').count(), 0)
    await requireAccessibleEverywhere(page, 'a mail that was given up')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('It is on its way again.').waitFor()
    await page.getByText('Waiting', { exact: true }).waitFor()
    const row = await app.ctx.db
      .selectFrom('mails')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(row.state, 'pending')
    assert.deepEqual(faults, [])
  })

  test('the page of the server says what is not in order and what to do, to admins alone', async (t) => {
    await transaction(app.ctx, ({ db }) =>
      db
        .insertInto('failed_rows')
        .values({
          job: 'remind',
          row_id: 7,
          failures: 10,
          until_ms: null,
          failed_at: 1,
          last_error: 'Gone wrong',
        })
        .execute(),
    )
    const { page, faults } = await app.signedIn(t)
    await page.goto(app.pathOf('server'))
    const first = page.getByRole('list', { name: 'Checks' }).getByRole('listitem').first()
    await page.getByText('remind, row 7: Gone wrong').first().waitFor()
    await page
      .getByText(/What to do: Each has failed ten times/)
      .first()
      .waitFor()
    assert.match((await first.textContent()) ?? '', /Look at this|Broken/)
    await requireAccessibleEverywhere(page, 'a server that is not in order')
    assert.deepEqual(faults, [])
    const member = await app.signedIn(t, await app.sessionOf(await joinTeam(app, 'developer')))
    await member.page.goto(app.pathOf('server'))
    await member.page.getByText('Your role (developer) may not see this.').waitFor()
  })

  for (const [path, title, field] of [
    ['mail-texts/receipt', 'Receipt', 'Subject'],
    ['settings', 'Settings', 'Title'],
  ] as const) {
    test(`13: leaving a changed form asks, and reload does too: ${path}`, async (t) => {
      const { page, faults } = await app.at(t, path, title)
      const typed = page.getByRole('textbox', { name: field, exact: true }).first()
      const before = await typed.inputValue()
      const events = page.getByRole('link', { name: 'Events', exact: true })
      await typed.fill('Typed and not saved')
      await events.click()
      await page.getByRole('dialog').getByText('What you have typed here is not saved.').waitFor()
      await page.getByRole('button', { name: 'Stay' }).click()
      assert.equal(await typed.inputValue(), 'Typed and not saved')
      const asked: string[] = []
      page.once('dialog', async (one) => {
        asked.push(one.type())
        await one.dismiss()
      })
      await page.evaluate('location.reload()').catch(() => undefined)
      assert.equal(await typed.inputValue(), 'Typed and not saved')
      assert.deepEqual(asked, ['beforeunload'])
      await events.click()
      await page.getByRole('button', { name: 'Leave without saving' }).click()
      await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      assert.equal(await typed.inputValue(), before)
      await typed.fill('Typed and taken back')
      await typed.fill(before)
      await events.click()
      await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
      assert.deepEqual(faults, [])
    })
  }
})
