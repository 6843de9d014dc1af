import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace } from '../../test/command-line.ts'

test('a preview shows a mail as it is sent, with the name of its product', async (t) => {
  const place = await openPlace(t, 'mail_preview')
  const boot = await place.run(
    ['bootstrap', '--email', 'you@example.com', '--product', 'My <product>', '--json'],
    { input: 'correct horse battery staple' },
  )
  assert.equal(boot.code, 0, boot.stderr)
  const [list, html, json, unknown] = await Promise.all([
    place.run(['mail', 'list', '--json']),
    place.run(['mail', 'preview', 'cart_recovery.1', '--product', '1', '--html']),
    place.run(['mail', 'preview', 'license', '--product', '1', '--json']),
    place.run(['mail', 'preview', 'nothing']),
  ])
  assert.ok(JSON.parse(list.stdout).templates.includes('renewal_failed.3'))
  assert.match(html.stdout, /^<!doctype html>[^]*My &lt;product&gt;[^]*No more mails like this one/)
  assert.equal(JSON.parse(json.stdout).subject, 'Your license for My <product>')
  assert.equal(unknown.code, 2)
})
