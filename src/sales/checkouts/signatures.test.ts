import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isRedirectTarget,
  isSandboxToken,
  redirectSignature,
  sandboxToken,
  signedRedirect,
} from './signatures.ts'

const SECRET = 'sk_TESTSECRETKEY0000000000000001'

test('a sandbox token is that of its vector (docs/interface.md 2.8)', () => {
  const of = { context: '1700000000', productId: 1, secretKey: SECRET, publicKey: 'pk_TESTPUBLIC' }
  assert.equal(sandboxToken(of), 'e6e3f030d9d1c3b92748155faf3dba79')
  assert.ok(isSandboxToken('e6e3f030d9d1c3b92748155faf3dba79', of))
  assert.ok(!isSandboxToken('e6e3f030d9d1c3b92748155faf3dba78', of))
  assert.ok(!isSandboxToken('', of))
  assert.ok(!isSandboxToken('e6e3f030d9d1c3b92748155faf3dba79', { ...of, productId: 2 }))
})

test('a redirect is signed as its vector (docs/interface.md 8.4), with the signature last', () => {
  const values = {
    user_id: 5,
    plan_id: 2,
    email: 'a@b.co',
    pricing_id: 3,
    currency: 'usd',
    subscription_id: null,
    license_id: 9,
    quota: 1,
    action: 'purchase',
  }
  const signature = '7a3f407fa5d6dc710fa89c9df6003db612ceaf2029dd21ce512cc2ddf02ddf02'
  assert.equal(
    signedRedirect('https://app.example/thanks', values, SECRET),
    'https://app.example/thanks?user_id=5&plan_id=2&email=a%40b.co&pricing_id=3&currency=usd&license_id=9' +
      `&quota=1&action=purchase&signature=${signature}`,
  )
})

/** As the JavaScript SDK checks it. */
function verifies(address: string): boolean {
  const [signed = '', signature] = address.replaceAll('%20', '+').split('&signature=')
  return redirectSignature(new URL(signed).href, SECRET) === signature?.split('#')[0]
}

test('whatever the target and the values are, the client can verify the signature', () => {
  for (const target of [
    'https://app.example/a b/c?x=1 2&y=%20#end',
    'https://app.example?signature=old&q=ü',
    'https://app.example/ü/%2F?a=b+c',
  ]) {
    const address = signedRedirect(target, { email: 'a b+c@d.e', first: 'Ünal & Söhne', n: 0 }, SECRET)
    assert.ok(verifies(address), address)
    assert.equal(address.split('signature=').length, 2, address)
    assert.ok(address.includes('email=a+b%2Bc%40d.e'))
    assert.ok(!verifies(address.replace('n=0', 'n=1')))
  }
})

test('S27: a checkout leads to https addresses on the hosts of the product only', () => {
  const hosts = ['shop.example.com', 'localhost:3000']
  for (const target of ['https://shop.example.com', 'https://SHOP.example.com/a?b#c']) {
    assert.ok(isRedirectTarget(target, hosts), target)
  }
  for (const target of [
    'http://shop.example.com/',
    'https://shop.example.com:8443/',
    'https://shop.example.com.evil.example/',
    'https://evil.example/?shop.example.com',
    'https://shop.example.com@evil.example/',
    'https://evil.example\\@shop.example.com/',
    '//shop.example.com/',
    'javascript:alert(1)//shop.example.com',
    'https:shop.example.com',
    ' https://shop.example.com/',
    'https://shop.example.com\t.evil.example/',
    'http://localhost:3000/',
    '',
  ]) {
    assert.ok(!isRedirectTarget(target, hosts), target)
  }
  assert.ok(isRedirectTarget('http://localhost:3000/', hosts, { isDevelopment: true }))
  assert.ok(!isRedirectTarget('http://shop.example.com/', hosts, { isDevelopment: true }))
})
