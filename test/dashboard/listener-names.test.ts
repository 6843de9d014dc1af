import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenerNames } from '../../web/dashboard/pages/webhooks/listener-names.ts'

const named = (...urls: string[]) => [
  ...listenerNames(urls.map((url, at) => ({ id: String(at + 1), url }))).values(),
]

test('a webhook is called by its host, with its path where another one has the host, with its number where both', () => {
  const other = 'https://api.example.org:8443/keywright'
  assert.deepEqual(named('https://hooks.example.com/in', other), [
    'hooks.example.com',
    'api.example.org:8443',
  ])
  const two = named('https://hooks.example.com/in', other, 'https://hooks.example.com/out?key=1')
  assert.deepEqual(two, ['hooks.example.com/in', 'api.example.org:8443', 'hooks.example.com/out'])
  const same = named('https://hooks.example.com/in', 'https://hooks.example.com/in?key=1')
  assert.deepEqual(same, ['hooks.example.com #1', 'hooks.example.com #2'])
})

test('a path that is not shown to a role stands in no name', () => {
  assert.deepEqual(named('https://hooks.example.com/…'), ['hooks.example.com'])
  assert.deepEqual(named('https://a.example.com/…', 'https://a.example.com/…'), [
    'a.example.com #1',
    'a.example.com #2',
  ])
})
