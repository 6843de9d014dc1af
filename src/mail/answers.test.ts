// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { TestApp } from '../../test/app.ts'
import { startMailing } from '../../test/mail-senders.ts'
import { queueMail } from './outbox.ts'
import { SAMPLES } from './samples.ts'
import type { Template } from './templates.ts'

let mailing: Awaited<ReturnType<typeof startMailing>>
let app: TestApp
before(async () => {
  mailing = await startMailing('mail_answers')
  app = mailing.app
})
after(() => mailing.close())
beforeEach(() => mailing.forget())

const ofStore = (body: object) => mailing.ofStore(body)
const ofProduct = (body: object) => mailing.ofProduct(body)

let count = 0

/** Where answers to a mail of a product go, by the header of what is delivered. */
async function answersTo<T extends Template>(
  template: T,
  product = app.seller.product,
): Promise<string | undefined> {
  const recipient = `reader${++count}@example.com`
  const about = { developerId: app.seller.developer.id, productId: product.id, userId: null, recipient }
  await app.write((tx) => queueMail(tx, { ...about, template, name: '', values: SAMPLES[template] } as never))
  return (await mailing.deliveredTo(recipient)).get('Reply-To')
}

type Helper = 'personal' | 'personal_technical' | 'personal_setup' | 'support'

/** The helper's address and name, as they are set. */
type Named = { readonly [H in Helper]: readonly [H, `${H}_name`] }[Helper]

async function isAnswered(template: Template, [helper, name]: Named): Promise<void> {
  const other = helper === 'support' ? 'personal' : 'support'
  await ofStore({ [helper]: 'store@shop.example.com', [name]: 'Ann, "Store"' })
  assert.equal(await answersTo(template, app.seller.other), '"Ann, \\"Store\\"" <store@shop.example.com>')
  await ofProduct({ [helper]: 'ann@shop.example.com', [other]: 'nobody@shop.example.com' })
  assert.equal(await answersTo(template), '"Ann, \\"Store\\"" <ann@shop.example.com>')
  await ofProduct({ [name]: 'Ann' })
  assert.equal(await answersTo(template), 'Ann <ann@shop.example.com>')
  await ofStore({ [name]: null })
  assert.equal(await answersTo(template, app.seller.other), 'Store <store@shop.example.com>')
}

test('answers to cart_recovery.1 go to personal of the product, else of its store, by name', () =>
  isAnswered('cart_recovery.1', ['personal', 'personal_name']))

test('answers to license_keys go to personal_technical of the product, else of its store, by name', () =>
  isAnswered('license_keys', ['personal_technical', 'personal_technical_name']))

test('answers to license go to personal_setup of the product, else of its store, by name', () =>
  isAnswered('license', ['personal_setup', 'personal_setup_name']))

test('answers to receipt go to support of the product, else of its store, by name', () =>
  isAnswered('receipt', ['support', 'support_name']))

/** Of each kind of helper a mail that it answers. */
const ANSWERED = ['cart_recovery.1', 'license_keys', 'license', 'receipt'] as const

test('without a helper of their own answers go to support, and without one nowhere', async () => {
  for (const template of ANSWERED) assert.equal(await answersTo(template), undefined)
  await ofStore({ dont_reply: 'no@shop.example.com', general: 'hello@shop.example.com' })
  for (const template of ANSWERED) assert.equal(await answersTo(template), undefined)
  await ofProduct({ support: 'help@shop.example.com', support_name: 'Help' })
  for (const template of ANSWERED) assert.equal(await answersTo(template), 'Help <help@shop.example.com>')
})

test('a mail to the seller names no helper', async () => {
  await ofProduct({ support: 'help@shop.example.com', personal_technical: 'tech@shop.example.com' })
  assert.equal(await answersTo('webhook_off'), undefined)
})
