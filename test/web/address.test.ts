import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress, type Address } from '../../web/checkout/address.ts'
import { buttonColours, contrast } from '../../web/shared/accent.ts'

const read = (address: string): Address => {
  const { pathname, search } = new URL(address, 'http://kw.example')
  return readAddress(pathname, search)
}

test('every form of a path names product, plan, number of licenses and currency', () => {
  const paths = [
    '/checkout/product/7/plan/9/licenses/5/currency/eur/',
    '/product/7/plan/9/licenses/5/currency/eur/',
    '/plugin/7/plan/9/licenses/5/currency/eur/',
    '/mode/page/app/7/plan/9/licenses/5/currency/EUR',
  ]
  for (const path of paths) {
    const { productId, opens, mode } = read(path)
    assert.deepEqual(
      { productId, mode, ...opens },
      {
        productId: '7',
        mode: 'page',
        plan_id: '9',
        licenses: '5',
        currency: 'eur',
      },
    )
  }
})

test('a query counts more than the path, and product_id more than plugin_id', () => {
  const { productId, opens } = read('/product/7/plan/9/?plugin_id=1&product_id=2&plan_id=3')
  assert.deepEqual([productId, opens['plan_id']], ['2', '3'])
})

test('values come as clients write them: numbers of cycles, null for unlimited, yes and no in each form', () => {
  const opensOf = (query: string) => read(`/?product_id=1&${query}`).opens
  for (const unlimited of ['0', 'null', 'unlimited']) {
    assert.equal(opensOf(`licenses=${unlimited}`)['licenses'], 'unlimited')
  }
  assert.equal(opensOf('licenses=')['licenses'], undefined)
  const cycles = { '1': 'monthly', '12': 'annual', '0': 'lifetime', Annual: 'annual' }
  for (const [given, name] of Object.entries(cycles)) {
    assert.equal(opensOf(`billing_cycle=${given}`)['billing_cycle'], name)
  }
  const trials = { '1': 'true', true: 'true', free: 'free', paid: 'paid', '0': undefined, false: undefined }
  for (const [given, name] of Object.entries(trials)) assert.equal(opensOf(`trial=${given}`)['trial'], name)
  assert.equal(opensOf('dunning=1')['is_payment_method_update'], true)
  assert.equal(opensOf('is_payment_method_update=false')['is_payment_method_update'], undefined)
  assert.equal(opensOf('cart=false')['cart'], false)
  assert.equal('cart' in opensOf('cart=1'), false)
  assert.equal(opensOf('coupon=null')['coupon'], undefined)
  assert.equal(opensOf('__fs_authorization=FSE+1%3Aabc')['__fs_authorization'], 'FSE 1:abc')
})

test('an address that is no address of the web leads nowhere', () => {
  const bad = [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/relative',
    'https://',
    'java%0Ascript:x',
  ]
  for (const address of bad) {
    const query = new URLSearchParams({ cancel_url: address, image: address, return_url: address })
    const { cancelUrl, look, wordpress } = read(`/?product_id=1&${query}`)
    assert.deepEqual([cancelUrl, look.image, wordpress], [null, null, null], address)
  }
  assert.equal(read('/?cancel_url=https://shop.example/a').cancelUrl, 'https://shop.example/a')
})

test('a way back is of a site only where a dashboard leads here, a site proves itself, or one tells of itself', () => {
  const back = `return_url=${encodeURIComponent('https://site.example/?_wpnonce=a%2Fb+c')}`
  assert.equal(read(`/?product_id=1&${back}`).wordpress, null)
  for (const more of ['mode=dashboard', 's_ctx_type=install&s_ctx_secure=x', 'install_data=%7B%7D']) {
    const { wordpress } = read(`/?product_id=1&${back}&${more}`)
    assert.equal(wordpress?.returnUrl, 'https://site.example/?_wpnonce=a%2Fb+c', more)
  }
})

test('a language is taken as clients write it, and what is none is left to the browser', () => {
  assert.equal(read('/?locale=de_DE').language, 'de-DE')
  assert.equal(read('/?language=fr').language, 'fr')
  for (const none of ['auto', 'auto-beta', 'x', '"><script>', '12']) {
    assert.equal(read(`/?${new URLSearchParams({ locale: none })}`).language, null, none)
  }
})

test("on the seller's colour the text can be read, and a colour that is lost on the page is not taken", () => {
  assert.equal(Math.round(contrast('#000000', '#ffffff')), 21)
  assert.equal(contrast('#123456', '#123456'), 1)
  assert.deepEqual(buttonColours('#aa0000'), { ground: '#aa0000', text: '#ffffff' })
  assert.deepEqual(buttonColours('#ffb000'), { ground: '#ffb000', text: '#000000' })
  for (const lost of ['#ffffff', '#fafafa', '#1c1f26', 'red', null])
    assert.equal(buttonColours(lost), undefined)
  for (const accent of ['#777777', '#3d4edb', '#ffb000', '#00aa88', '#e91e63']) {
    const { ground, text } = buttonColours(accent) ?? assert.fail(accent)
    assert.ok(contrast(ground, text) >= 4.5, accent)
  }
})
