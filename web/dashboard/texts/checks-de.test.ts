import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { germanLine, germanName } from './checks-de.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** A text, or one with values in it, in which a brace opens one level more at most. */
const TEXT = /'([^'\n]*)'|`((?:[^`$]|\$(?!\{)|\$\{(?:[^{}]|\{[^{}]*\})*\})*)`/g
const VALUE = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g

/** What the checks of the page say: their texts of several words, with 7 in the place of each value. */
function saidByChecks(): string[] {
  const files = globSync('src/health/{check-*,checks,finding}.ts', { cwd: ROOT })
  return files
    .filter((file) => !/\.test\.ts$|check-port/.test(file))
    .flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^\s*(\/\*\*|\*|\/\/|import).*$/gm, '')
      return [...source.matchAll(TEXT)].map(([, plain, made]) => plain ?? made ?? '')
    })
    .map((text) => text.replaceAll('${loss}', LOSS).replaceAll(VALUE, '7'))
    .filter((text) => /\w+ \w+/.test(text) && !NO_LINE.test(text))
}

const LOSS = 'losing it loses the stored keys, so keep a copy apart from the database'
/** Commands, parts of lines, and what names a list of things that went wrong by themselves. */
const NO_LINE =
  /^(npm run|chmod|losing it|live payments|the sandbox$|its beginning|in part|7 UTC|7 7 to no version|7 is not set up|7 has not made|7, row)|^(data folder|stored keys|audit log)$/

test('each line that a check of the server says has German words', () => {
  const said = saidByChecks()
  assert.ok(said.length > 40, String(said.length))
  assert.deepEqual(
    said.filter((line) => germanLine(line) === line),
    [],
  )
  assert.equal(germanLine('1 archive belongs to no version'), '1 Archive gehören zu keiner Version')
  assert.equal(germanLine('512 MB are free'), '512 MB sind frei')
  assert.equal(germanLine('EACCES: permission denied'), 'EACCES: permission denied')
})

test('each check has a German name', () => {
  const source = readFileSync(join(ROOT, 'src/health/checks.ts'), 'utf8')
  const names = [...source.matchAll(/name: '([^']+)'/g)].map(([, name = '']) => name)
  // Others are named by what they look at, or are not on the page.
  const kept = ['port', 'credentials']
  assert.deepEqual(
    names.filter((name) => !kept.includes(name) && germanName(name) === name),
    [],
  )
})
