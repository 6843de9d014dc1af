import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerOf } from './wordpress.ts'

test('a header is one line of at most 200 characters, without the end of its comment', () => {
  const of = (value: string) =>
    headerOf(`<?php\n/*\n * Plugin Name: Example\n * Version: ${value}\n */`, 'Version')
  assert.equal(of('1.2.3'), '1.2.3')
  assert.equal(of('1.2.3 */'), '1.2.3')
  assert.equal(of('x'.repeat(200)), 'x'.repeat(200))
  assert.equal(of('x'.repeat(201)), null)
  assert.equal(of(' '), null)
})
