import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRequestDate } from './request-date.ts'

const MAY_11 = Date.UTC(2023, 4, 11, 9, 45, 30)

test('every form of date that clients sign is read', () => {
  const forms = [
    'Thu, 11 May 2023 11:45:30 +0200',
    'Thu, 11 May 2023 09:45:30 +0000',
    'Thu, 11 May 2023 09:45:30 -0000',
    'Thu, 11 May 2023 04:15:30 -0530',
    'Thu, 11 May 2023 09:45:30 GMT',
    'Thu, 11 May 2023 09:45:30 UTC',
    '11 May 2023 09:45:30 +0000',
    '2023-05-11 09:45:30',
  ]
  for (const form of forms) assert.equal(parseRequestDate(form), MAY_11, form)
  assert.equal(parseRequestDate('Mon, 1 May 2023 00:00 +0000'), Date.UTC(2023, 4, 1))
  assert.equal(parseRequestDate('Fri, 12 May 2023 01:45:30 +1600'), MAY_11)
  assert.equal(parseRequestDate('Thu, 29 Feb 2024 00:00:00 +0000'), Date.UTC(2024, 1, 29))
})

test('each month is read', () => {
  for (let month = 0; month < 12; month += 1) {
    const ms = Date.UTC(2024, month, 28, 23, 59, 59)
    assert.equal(parseRequestDate(new Date(ms).toUTCString()), ms)
  }
})

test('dates that do not exist are refused', () => {
  const forms = [
    '2023-02-29 00:00:00',
    '2023-13-01 00:00:00',
    '2023-00-01 00:00:00',
    '2023-01-00 00:00:00',
    '2023-01-32 00:00:00',
    '2023-01-01 24:00:00',
    '2023-01-01 00:60:00',
    '2023-01-01 23:59:60',
    'Wed, 29 Feb 2023 00:00:00 +0000',
    'Wed, 31 Apr 2023 00:00:00 GMT',
    'Fri, 11 May 2023 11:45:30 +0200',
    'Xyz, 11 May 2023 11:45:30 +0200',
    'Thu, 11 Mai 2023 11:45:30 +0200',
    'Thu, 11 May 2023 25:45:30 +0200',
    'Thu, 11 May 2023 11:45:30 +2400',
    'Thu, 11 May 2023 11:45:30 +0060',
  ]
  for (const form of forms) assert.equal(parseRequestDate(form), null, form)
})

test('every other form is refused', () => {
  const forms = [
    '',
    'now',
    '1683798330',
    '2023-05-11',
    '2023-05-11T09:45:30Z',
    '2023-05-11 09:45:30 ',
    '2023-05-11 09:45:30\n',
    ' 2023-05-11 09:45:30',
    '٢٠٢٣-05-11 09:45:30',
    'Thu, 11 May 2023 09:45:30',
    'Thu, 11 May 2023 09:45:30 EST',
    'Thu, 11 May 2023 09:45:30 +02:00',
    'thu, 11 may 2023 09:45:30 gmt',
    'Thursday, 11-May-23 09:45:30 GMT',
    'Thu May 11 09:45:30 2023',
    'Thu, 11 May 23 09:45:30 +0000',
    `Thu, ${'1'.repeat(50_000)}`,
  ]
  for (const form of forms) assert.equal(parseRequestDate(form), null, form)
})
