import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKey, blockKey, networkKey, TokenBuckets } from './token-buckets.ts'

const NOW = 1_700_000_000_000
const takeMany = (buckets: TokenBuckets, count: number, now = NOW) =>
  Array.from({ length: count }, () => buckets.take('a', now)).filter(({ allowed }) => allowed).length

test('a burst passes at once, the next attempt is told when to come back', () => {
  const buckets = new TokenBuckets({ perSecond: 10, burst: 40 })
  assert.deepEqual(buckets.take('a', NOW), { allowed: true, remaining: 39, retryAfterMs: 0 })
  assert.equal(takeMany(buckets, 50), 39)
  assert.deepEqual(buckets.take('a', NOW), { allowed: false, remaining: 0, retryAfterMs: 100 })
  assert.deepEqual(buckets.take('a', NOW + 30), { allowed: false, remaining: 0, retryAfterMs: 70 })
})

test('waiting exactly as long as told is enough, and a millisecond less is not', () => {
  for (const perSecond of [0.1, 1 / 3, 3, 7, 10, 50]) {
    const buckets = new TokenBuckets({ perSecond, burst: 2 })
    let now = NOW
    takeMany(buckets, 2)
    for (let i = 0; i < 100; i += 1) {
      const { retryAfterMs } = buckets.take('a', now)
      assert.ok(retryAfterMs > 0)
      assert.equal(buckets.take('a', now + retryAfterMs - 1).allowed, false)
      now += retryAfterMs
      assert.equal(buckets.take('a', now).allowed, true)
    }
  }
})

test('tokens come back at the rate, up to the burst', () => {
  const buckets = new TokenBuckets({ perSecond: 10, burst: 40 })
  takeMany(buckets, 40)
  assert.equal(takeMany(buckets, 50, NOW + 1_000), 10)
  assert.equal(takeMany(buckets, 99, NOW + 3_600_000), 40)
})

test('refused attempts cost nothing', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 1 })
  takeMany(buckets, 1_000)
  assert.equal(buckets.take('a', NOW + 1_000).allowed, true)
})

test('keys do not share tokens', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 1 })
  takeMany(buckets, 2)
  assert.equal(buckets.take('b', NOW).allowed, true)
})

test('a clock that is set back gives no tokens and takes none', () => {
  const buckets = new TokenBuckets({ perSecond: 10, burst: 40 })
  takeMany(buckets, 39)
  assert.equal(buckets.take('a', NOW - 3_600_000).allowed, true)
  assert.equal(buckets.take('a', NOW - 3_600_000).allowed, false)
  assert.equal(buckets.take('a', NOW - 3_600_000 + 100).allowed, true)
})

test('a million keys keep no more than maxKeys buckets', () => {
  const buckets = new TokenBuckets({ perSecond: 10, burst: 40, maxKeys: 1_000 })
  for (let i = 0; i < 1_000_000; i += 1) {
    buckets.take(String(i), NOW)
    assert.ok(buckets.size <= 1_000)
  }
  assert.ok(buckets.size >= 500)
})

test('under pressure a key in use keeps its empty bucket', () => {
  const buckets = new TokenBuckets({ perSecond: 0.001, burst: 5, maxKeys: 1_000 })
  takeMany(buckets, 5)
  for (let i = 0; i < 10_000; i += 1) {
    buckets.take(String(i), NOW)
    if (i % 400 === 0) assert.equal(buckets.take('a', NOW).allowed, false)
  }
})

test('buckets that had the time to fill up are forgotten, others are not', () => {
  const buckets = new TokenBuckets({ perSecond: 10, burst: 40 })
  for (let i = 0; i < 1_000; i += 1) buckets.take(String(i), NOW)
  takeMany(buckets, 40)
  buckets.take('b', NOW + 3_900)
  assert.equal(buckets.size, 1_002)
  assert.equal(buckets.take('a', NOW + 3_900).remaining, 38)
  buckets.take('b', NOW + 4_000)
  assert.equal(buckets.size, 1_002)
  buckets.take('b', NOW + 8_000)
  assert.equal(buckets.size, 1)
})

test('an IPv4 address is its own key, mapped into IPv6 too', () => {
  assert.equal(addressKey('203.0.113.9'), '203.0.113.9')
  for (const mapped of ['::ffff:203.0.113.9', '::FFFF:cb00:7109', '0:0:0:0:0:ffff:203.0.113.9']) {
    assert.equal(addressKey(mapped), '203.0.113.9', mapped)
  }
})

test('IPv6 addresses of one /64 share a key, others do not', () => {
  for (const ip of [
    '2001:db8:0:1::',
    '2001:DB8::1:ffff:0:0:9',
    '2001:0db8:0000:0001:1:2:3:4',
    '2001:db8:0:1::9%eth0',
  ]) {
    assert.equal(addressKey(ip), '2001:db8:0:1::/64', ip)
  }
  assert.equal(addressKey('2001:db8:0:2::1'), '2001:db8:0:2::/64')
  assert.equal(addressKey('2001:db8::1'), '2001:db8::/64')
  assert.equal(addressKey('1:2:3:4:5:6:7:8'), '1:2:3:4::/64')
  assert.equal(addressKey('::1'), '::/64')
  assert.equal(addressKey('::203.0.113.9'), '::/64')
  assert.equal(addressKey('1::ffff:1.2.3.4'), '1::/64')
  assert.equal(addressKey('64:ff9b::1.2.3.4'), '64:ff9b::/64')
  assert.equal(addressKey('fe80::'), 'fe80::/64')
})

test('text that is no address has one key', () => {
  for (const text of ['', 'localhost', '1.2.3.4:80', '[::1]', 'x'.repeat(10_000)])
    assert.equal(addressKey(text), 'unknown')
})

test('a look says what taking would, takes nothing and makes no bucket', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 2 })
  for (let count = 0; count < 5; count++) assert.equal(buckets.look('a', 0), null)
  assert.equal(buckets.size, 0)
  buckets.take('a', 0)
  buckets.take('a', 0)
  assert.deepEqual(buckets.look('a', 0), { allowed: false, remaining: 0, retryAfterMs: 1_000 })
  assert.equal(buckets.look('a', 1_000)?.allowed, true)
  assert.equal(buckets.take('a', 1_000).allowed, true)
  assert.equal(buckets.take('a', 1_000).allowed, false)
})

test('an attempt may take several; more than the burst need a full bucket, and what is owed is not forgotten', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 10, atOnce: 50 })
  assert.equal(buckets.take('a', NOW, 4).remaining, 6)
  assert.deepEqual(buckets.take('a', NOW, 7), { allowed: false, remaining: 6, retryAfterMs: 1_000 })
  assert.deepEqual(buckets.take('a', NOW, 50), { allowed: false, remaining: 6, retryAfterMs: 4_000 })
  assert.equal(buckets.take('a', NOW + 4_000, 50).allowed, true)
  for (let second = 5; second < 45; second += 1) {
    buckets.take('b', NOW + second * 1_000)
    if (second % 20 === 0) assert.equal(buckets.take('a', NOW + second * 1_000).allowed, false)
  }
  assert.equal(buckets.take('a', NOW + 44_999).allowed, false)
  assert.equal(buckets.take('a', NOW + 45_000).allowed, true)
})

test('IPv6 addresses of one /48 are of one network, an IPv4 address is one by itself', () => {
  for (const ip of ['2001:db8:1::', '2001:DB8:1:2::9', '2001:0db8:0001:ffff:1:2:3:4']) {
    assert.equal(networkKey(ip), '2001:db8:1::/48', ip)
  }
  assert.equal(networkKey('2001:db8:2::1'), '2001:db8:2::/48')
  assert.equal(networkKey('::ffff:203.0.113.9'), '203.0.113.9')
  assert.equal(networkKey('nobody'), 'unknown')
  assert.equal(blockKey('2001:db8:2::1'), '2001:db8:2::/48')
  assert.equal(blockKey('::ffff:203.0.113.9'), '203.0.113.0/24')
  assert.equal(blockKey('nobody'), 'unknown')
})

test('a look finds no bucket that had the time to fill up twice, whoever else came meanwhile', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 2 })
  buckets.take('a', NOW)
  assert.notEqual(buckets.look('a', NOW + 1_999), null)
  assert.equal(buckets.look('a', NOW + 4_000), null)
  buckets.take('a', NOW + 5_000)
  for (const after of [1_000, 2_500, 4_500]) buckets.take('b', NOW + 5_000 + after)
  assert.equal(buckets.look('a', NOW + 9_600), null)
})

test('a key of a scale has so many times as much at once and back, whatever others have', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 4 })
  const take = (count: number, now: number, scale: number) =>
    Array.from({ length: count }, () => buckets.take('a', now, 1, { scale })).filter(({ allowed }) => allowed)
      .length
  assert.equal(take(20, NOW, 2.5), 10)
  assert.deepEqual(buckets.take('a', NOW, 1, { scale: 2.5 }).retryAfterMs, 400)
  assert.equal(take(20, NOW + 2_000, 2.5), 5)
  assert.equal(takeMany(buckets, 1, NOW), 0)
  assert.equal(buckets.take('b', NOW).remaining, 3)
  assert.equal(take(20, NOW + 60_000, 1), 4, 'what a smaller scale has not is gone')
})

test('what is spared is left to those that spare nothing', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 4 })
  const spare = () => buckets.take('a', NOW, 1, { spared: 2 })
  assert.deepEqual([spare().allowed, spare().allowed], [true, true])
  assert.deepEqual(spare(), { allowed: false, remaining: 2, retryAfterMs: 1_000 })
  assert.equal(takeMany(buckets, 5), 2)
})
