import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayText, exactTime, momentOf, timeText } from '../../web/ui/time.ts'
import { knownZone, zonesBeginningWith } from '../../web/ui/zones.ts'

const TIME = '2026-01-31 22:30:00'

test('a time is told in its zone, exactly with UTC beside it, and on the day that it is there', () => {
  const berlin = { language: 'de', zone: 'Europe/Berlin' }
  assert.equal(exactTime(TIME, berlin), `Samstag, 31. Januar 2026 um 23:30:00 MEZ · ${TIME} UTC`)
  assert.equal(dayText(TIME, berlin), '31.01.2026')
  const auckland = { language: 'en', zone: 'Pacific/Auckland' }
  assert.match(exactTime(TIME, auckland), /^Sunday, February 1, 2026 at 11:30:00\sAM GMT\+13 · .* UTC$/)
  assert.equal(dayText(TIME, auckland), 'Feb 1, 2026')
  const now = momentOf('2026-03-01 00:00:00').getTime()
  assert.equal(timeText(TIME, { ...auckland, now }), 'Feb 1, 2026')
  assert.equal(timeText(TIME, { language: 'en', zone: 'UTC', now }), 'Jan 31, 2026')
})

test('a time that is near is told by how far it is, in whichever zone', () => {
  const now = momentOf('2026-02-01 00:30:00').getTime()
  for (const zone of ['UTC', 'Pacific/Auckland']) {
    assert.equal(timeText(TIME, { language: 'en', zone, now }), '2 hours ago')
    assert.equal(timeText(TIME, { language: 'de', zone, now }), 'vor 2 Stunden')
    assert.equal(timeText('2026-02-04 01:00:00', { language: 'en', zone, now }), 'in 3 days')
  }
})

test('a zone that is not known by its name is none', () => {
  for (const name of ['', ' ', 'Mars/Base', 'Europe', '<b>']) assert.equal(knownZone(name), undefined, name)
  assert.equal(knownZone('Europe/Berlin'), 'Europe/Berlin')
  assert.equal(knownZone('utc'), 'UTC')
})

test('zones are told once each, with the one that is taken first', () => {
  const zones = zonesBeginningWith('Europe/Berlin')
  assert.deepEqual(zones.slice(0, 2), ['Europe/Berlin', 'UTC'])
  assert.equal(new Set(zones).size, zones.length)
  assert.equal(zonesBeginningWith('UTC').filter((zone) => zone === 'UTC').length, 1)
  assert.ok(zones.length > 300)
})
