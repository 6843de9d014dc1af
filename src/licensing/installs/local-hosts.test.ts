import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOf } from '../../lib/hosts.ts'
import { domainsAbove, fitsPattern, isLocalAddress, namesSitesAtWork } from './local-hosts.ts'

test('the hosts of the list are local, whatever their case, protocol, port and path', () => {
  const local = [
    'http://localhost:8080/wp',
    'http://127.0.0.1:18090',
    'LOCAL.example.com',
    'https://dev.shop.com',
    'test.shop.com',
    'stage.shop.com',
    'staging.shop.com',
    'staging2.shop.com',
    'https://shop.dev',
    'shop.test',
    'shop.local/path',
    'shop.staging',
    'shop.wpengine.com',
    'test-shop.pantheonsite.io',
    'dev-shop.pantheonsite.io',
    'stg-shop.kinsta.cloud',
    'env-shop.kinsta.com',
    'shop-dev.10web.site',
    'https://www.shop.instawp.xyz/',
  ]
  for (const address of local) assert.equal(isLocalAddress(address), true, address)
  const production = [
    'https://shop.com',
    'https://www.shop.com',
    'devshop.com',
    'live-shop.pantheonsite.io',
    'shop.kinsta.com',
    'shop.example.com',
    'https://testing.com',
    'shop.com/dev.',
    'https://shop.developer',
  ]
  for (const address of production) assert.equal(isLocalAddress(address), false, address)
})

test('a host is told without www, port, case and protocol', () => {
  assert.equal(hostOf('HTTPS://www.Shop.com:8443/a?b'), 'shop.com')
  assert.equal(hostOf('shop.com/a'), 'shop.com')
  assert.equal(hostOf(''), null)
  assert.equal(hostOf('http://'), null)
})

test('the domains above a host end before the top-level domain', () => {
  assert.deepEqual(domainsAbove('a.b.shop.com'), ['b.shop.com', 'shop.com'])
  assert.deepEqual(domainsAbove('shop.com'), [])
  assert.deepEqual(domainsAbove('192.168.1.10'), [])
})

test('a pattern names a host with its subdomains, or what fits its asterisks', () => {
  assert.equal(fitsPattern('shop.com', 'shop.com'), true)
  assert.equal(fitsPattern('a.shop.com', 'shop.com'), true)
  assert.equal(fitsPattern('myshop.com', 'shop.com'), false)
  assert.equal(fitsPattern('qa-7.shop.com', 'qa-*.shop.com'), true)
  assert.equal(fitsPattern('qa.shop.com', 'qa-*.shop.com'), false)
  assert.equal(fitsPattern('a.b.c', '*'), true)
})

test('a pattern names sites at work only when every host that fits it says so itself', () => {
  for (const pattern of [
    '*.dev.shop.com',
    'staging-*.shop.com',
    'qa.shop.com',
    'shop.test',
    'dev.*',
    '*.local',
  ]) {
    assert.ok(namesSitesAtWork(pattern), pattern)
  }
  for (const pattern of ['*', '*.com', 'shop.com', '*test*', 'test*.com', 'contest.com', 'dev*.shop.com']) {
    assert.ok(!namesSitesAtWork(pattern), pattern)
  }
})
