import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figureText, isFigure } from '../lib/words.ts'
import { renderMail, type Brand } from './render.ts'
import { SAMPLES } from './samples.ts'
import type { Template } from './templates.ts'
import { textsIn } from './texts/texts.ts'

const TEMPLATES = Object.keys(SAMPLES) as Template[]
const BRAND: Brand = { product: 'Search Pro', logo: 'https://shop.example.com/logo.png' }

const rendered = (
  template: Template,
  { values = SAMPLES, name = 'Ada Lovelace', brand = BRAND, language = 'en' } = {},
) =>
  renderMail(textsIn(language), brand, {
    template,
    name,
    values: values[template],
    unsubscribe: 'https://shop.example.com/unsubscribe/token',
  })

/** Every text that a mail is filled with, as a language writes it. */
function stringsOf(value: unknown, language = 'en'): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (isFigure(value)) return [figureText(value, language)]
  return Object.values(value).flatMap((one) => stringsOf(one, language))
}

const tagsOf = (html: string) => html.match(/<\/?[a-z!][a-z0-9]*/gi)

test('every mail has a subject, says what it is filled with, in text and in HTML, and leaves no part unfilled', () => {
  for (const template of TEMPLATES) {
    const { subject, text, html } = rendered(template)
    assert.ok(subject.length > 5, template)
    assert.match(text, /^Hello Ada,\n\n/)
    assert.match(html, /<p>Hello Ada,<\/p>/)
    assert.doesNotMatch(`${subject}${text}${html}`, /<%|undefined|null|\[object|\n\n\n|<p><\/p>/, template)
    const strings = stringsOf(SAMPLES[template])
    for (const value of strings) {
      const isShown =
        text.includes(value) && (html.includes(value) || html.includes(value.replaceAll('&', '&amp;')))
      assert.ok(isShown || isLeftOut(template, value), `${template}: ${value}`)
    }
  }
})

/** The first mail about a cart has no discount yet, nor has the second. */
const isLeftOut = (template: Template, value: string) =>
  (template === 'cart_recovery.1' || template === 'cart_recovery.2') && value === '15 %'

/** Codes of currencies and times, which nobody types. */
const OURS = ['currency', 'time']

test('in every mail and language markup in any value stays text in HTML, and no link runs anything', () => {
  const bait = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>\r\nmore`
  const hostile = JSON.parse(JSON.stringify(SAMPLES), (key, value: unknown) => {
    if (key === 'link') return 'javascript:alert(1)'
    if (OURS.includes(key)) return value
    return typeof value === 'string' ? `${value}${bait}` : value
  }) as typeof SAMPLES
  for (const language of ['en', 'de']) {
    for (const template of TEMPLATES) {
      const { subject, text, html } = rendered(template, {
        values: hostile,
        name: `Ada${bait}`,
        brand: { ...BRAND, product: `Search${bait}` },
        language,
      })
      assert.deepEqual(tagsOf(html), tagsOf(rendered(template, { language }).html), `${language} ${template}`)
      assert.doesNotMatch(html, /javascript:/)
      assert.doesNotMatch(html, /"[^"<>]*on\w+=[^"<>]*>/)
      assert.doesNotMatch(subject, /\p{Cc}/u)
      assert.doesNotMatch(text, /^more/m, 'nobody begins a line of their own')
    }
  }
})

test('a picture that is no address of the web is not shown', () => {
  for (const logo of [
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload="alert(1)">',
    '/pictures/1',
    null,
  ]) {
    assert.doesNotMatch(rendered('license', { brand: { ...BRAND, logo } }).html, /<img/)
  }
  assert.match(
    rendered('license').html,
    /<img src="https:\/\/shop\.example\.com\/logo\.png" alt="Search Pro"/,
  )
})

test('a greeting has one word of a name, and none that may be an address or a sentence', () => {
  for (const name of [
    'evil.example now',
    'http://evil',
    'a@evil.example',
    'evil.com/x',
    'Locked: call 0900 123456',
    'Call. Pay. Enough.',
    'Your-account-is-locked',
    '您的账户已被锁定请致电',
    'a'.repeat(25),
    'J. R. R. Tolkien',
  ]) {
    assert.match(rendered('confirm_email', { name }).text, /^Hello,\n/)
  }
  for (const [name, word] of [
    ['Your account is locked', 'Your'],
    ['Visit evil.example now', 'Visit'],
    ['Ada Lovelace Jr.', 'Ada'],
    ['Zoë O’Neil-鍵', 'Zoë'],
    ['Anne-Marie', 'Anne-Marie'],
    ['O’Neil', 'O’Neil'],
    ['山田太郎', '山田太郎'],
  ]) {
    const { text, html } = rendered('confirm_email', { name })
    assert.ok(text.startsWith(`Hello ${word},\n`), text)
    assert.ok(html.includes(`<p>Hello ${word},</p>`), html)
  }
})

test('what there is not is left out: a site, a trial, a discount, a row', () => {
  const { text } = renderMail(textsIn('en'), BRAND, {
    template: 'receipt',
    name: '',
    values: { ...SAMPLES.receipt, tax: '', licenses: '' },
  })
  assert.doesNotMatch(text, /^Tax|^Licenses|No more mails/m)
  assert.match(text, /^Hello,\n/)
})

test('every language says in each mail what English says, with the same values in the same shape', () => {
  for (const template of TEMPLATES) {
    const { text, html } = rendered(template, { language: 'de_AT' })
    const english = rendered(template)
    assert.match(text, /^Guten Tag Ada,\n\n/)
    assert.match(html, /<html lang="de">/)
    assert.deepEqual(tagsOf(html), tagsOf(english.html), template)
    const inEnglish = stringsOf(SAMPLES[template])
    for (const [index, value] of stringsOf(SAMPLES[template], 'de').entries()) {
      const isInEnglish = english.text.includes(inEnglish[index] ?? '')
      assert.equal(text.includes(value), isInEnglish, `${template}: ${value}`)
    }
  }
})

test('no German mail has an amount, a percentage or a time as English writes it', () => {
  const receipt = rendered('receipt', { language: 'de' })
  for (const said of [receipt.text, receipt.html]) {
    assert.match(said, /59,50\u00A0€/)
    assert.match(said, /9,50\u00A0€/)
    assert.match(said, /31\.01\.2026, 10:00:00 UTC/)
  }
  assert.match(rendered('cart_recovery.3', { language: 'de' }).text, /15\u00A0% weniger/)
  for (const template of TEMPLATES) {
    const { subject, text, html } = rendered(template, { language: 'de' })
    assert.doesNotMatch(`${subject}${text}${html}`, /\d\.\d\d[ \u00A0]|\d{4}-\d\d-\d\d|EUR|\d %/, template)
  }
})

test('a language that has no texts is English', () => {
  for (const language of ['xx', 'en_GB', 'EN', '', null]) assert.equal(textsIn(language).language, 'en')
  for (const language of ['de', 'de-DE', 'DE_at']) assert.equal(textsIn(language).language, 'de')
})

test('no mail speaks of sites, whatever its product runs on', () => {
  for (const language of ['en', 'de'])
    for (const template of TEMPLATES) {
      const { subject, text } = rendered(template, { language })
      const said = `${subject}\n${text}`.replaceAll(/\S+\.\S+/g, '')
      assert.doesNotMatch(said, /\b(?:web)?sites?\b/i, `${template} (${language})`)
    }
})
