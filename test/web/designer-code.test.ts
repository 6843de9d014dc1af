import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readAddress } from '../../web/checkout/address.ts'
import { CODE } from '../../web/designer/code.ts'
import { about, NAMES, PRODUCT, setIn, valuesIn, type Name } from '../../web/designer/parameters.ts'
import { de } from '../../web/designer/texts/de.ts'
import { en } from '../../web/designer/texts/en.ts'

const SELLING = join(import.meta.dirname, '../../docs/selling.md')

test('the list and the table of the documents name the same parameters', async () => {
  const [, section = ''] = (await readFile(SELLING, 'utf8')).split('\n## Parameters\n')
  const [table = ''] = section.split('\nThese are ignored')
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  const cells = rows.map((line) => line.split(' | ')[0]?.replaceAll(/\([^)]*\)/g, '') ?? '')
  const told = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  const listed = [...PRODUCT, ...NAMES.flatMap((name) => [name, ...(about(name).also ?? [])])]
  assert.deepEqual(told.toSorted(), listed.toSorted())
})

/** A value that is not what the checkout does without it. */
function valueOf(name: Name): string {
  const { kind } = about(name)
  if (typeof kind === 'object') return kind.at(-1) ?? ''
  if (kind === 'no') return 'false'
  return kind === 'yes' ? '1' : kind === 'url' ? 'https://shop.example/' : '7'
}

test('each parameter of the list changes what the checkout reads, by each of its names', () => {
  const plain = readAddress('/checkout/product/1/', '')
  for (const name of NAMES) {
    for (const one of [name, ...(about(name).also ?? [])]) {
      const read = readAddress('/checkout/product/1/', `?${one}=${encodeURIComponent(valueOf(name))}`)
      assert.notDeepEqual(read, plain, one)
    }
  }
})

test('each has a label in each language', () => {
  for (const { labels } of [en, de]) assert.deepEqual(Object.keys(labels).toSorted(), NAMES.toSorted())
})

const HOSTILE = `"><img src=x>'&</script><script>alert(1)//`
const wanted = (title: string) => ({
  base: 'https://pay.example/base',
  productId: '1',
  values: { billing_cycle: 'annual', title },
})

test('a link, a script and a button say the same', () => {
  assert.equal(
    CODE.link(wanted('A & B'), 'Buy'),
    'https://pay.example/base/checkout/product/1/?billing_cycle=annual&title=A+%26+B',
  )
  const button = CODE.button(wanted('A & B'), 'Buy')
  for (const part of [
    'data-keywright-product="1"',
    'data-billing-cycle="annual"',
    'data-title="A &amp; B"',
    'src="https://pay.example/base/js/v1/"',
  ])
    assert.ok(button.includes(part), part)
  assert.ok(CODE.script(wanted('A & B'), 'Buy').includes('"title": "A & B"'))
})

test('a hostile value stays a value in each of them', () => {
  const link = new URL(CODE.link(wanted(HOSTILE), 'Buy'))
  assert.equal(link.searchParams.get('title'), HOSTILE)
  for (const form of ['script', 'button'] as const) {
    const code = CODE[form](wanted(HOSTILE), 'Buy')
    assert.ok(!code.includes('<img') && !code.includes('<script>alert'), code)
  }
})

test('what an address says is taken by each name; what is empty is none', () => {
  const values = valuesIn(new URLSearchParams({ name: 'A', dunning: '1', coupon: '', plan_id: '5', x: 'y' }))
  assert.deepEqual(values, { plan_id: '5', title: 'A', is_payment_method_update: '1' })
  assert.deepEqual(setIn({ title: ' ', coupon: 'C' }), [['coupon', 'C']])
})
