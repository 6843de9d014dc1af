// Runs slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { glyphsOfPdf, textOfPdf } from '../../../../test/pdf.ts'
import { collectGarbage } from '../../../lib/collect-garbage.ts'
import type { UtcTime } from '../../../lib/time.ts'
import { drawInvoice } from './draw.ts'
import { fontsFor } from './fonts.ts'
import type { Invoice, Party } from './invoice.ts'
import { invoicePdf } from './pdf.ts'
import { wrap } from './text.ts'

const invoice: Invoice = {
  kind: 'invoice',
  number: 'INV-000042',
  issuedAt: '2026-01-31 10:00:00' as UtcTime,
  correctedNumber: null,
  isTest: false,
  seller: {
    name: 'Beispiel GmbH',
    lines: ['Hauptstraße 1', '10115 Berlin', 'Germany'],
    vatId: 'DE136695976',
  },
  buyer: { name: 'Ann Buyer', lines: ['5 High Street', 'buyer@example.com'], vatId: '' },
  currency: 'eur',
  lines: [
    { description: 'Example, Pro, licenses: 5', amount: 10_000 },
    { description: 'Discount', amount: -1_000 },
  ],
  tax: 1_710,
  taxName: 'VAT',
  taxRate: 190_000,
  isReverseCharged: false,
  method: 'Visa •••• 4242',
}

const read = async (more: Partial<Invoice> = {}) => textOfPdf(await invoicePdf({ ...invoice, ...more }))
const bought = (name: string): Partial<Invoice> => ({ buyer: { ...invoice.buyer, name } })

test('an invoice names seller and buyer, its number and day, every line, tax and total, and that it is paid', async () => {
  const text = await read()
  for (const part of [
    'Invoice Number INV-000042 Date 2026-01-31',
    'PAID Visa •••• 4242',
    'Beispiel GmbH Hauptstraße 1 10115 Berlin Germany VAT ID DE136695976',
    'Ann Buyer 5 High Street buyer@example.com',
    '100.00 EUR',
    'Example, Pro, licenses: 5',
    '-10.00 EUR',
    'VAT 19 %',
    '17.10 EUR',
    '107.10 EUR',
  ])
    assert.ok(text.includes(part), `${part} in: ${text}`)
  assert.doesNotMatch(text, /Reverse charge|Credit note|Test/)
})

test('reverse charge is noted with the VAT ids of both', async () => {
  const buyer: Party = { ...invoice.buyer, vatId: 'FR40303265045' }
  const text = await read({ isReverseCharged: true, tax: 0, taxRate: 0, buyer })
  assert.match(text, /VAT ID DE136695976.*VAT ID FR40303265045/)
  assert.match(text, /VAT 0 %, reverse charge/)
  assert.match(text, /Reverse charge: the recipient accounts for the VAT .*article 196/)
  const lines = [{ description: 'Example', amount: 0 }]
  const credit = await read({ kind: 'credit_note', isReverseCharged: true, tax: 1_900, lines, buyer })
  assert.match(credit, /VAT 19 %/, 'a tax that is given back has its rate')
  assert.match(credit, /Reverse charge: the recipient/)
})

test('a credit note says which invoice it takes back from, and what is given back', async () => {
  const text = await read({ kind: 'credit_note', number: 'CN-000001', correctedNumber: 'INV-000042' })
  assert.match(text, /Credit note Number CN-000001 .* For invoice INV-000042 .*REFUNDED/)
  assert.match(text, /Total given back/)
})

test('one of the sandbox says that no money was moved', async () => {
  assert.match(await read({ isTest: true }), /Test: no money was moved/)
})

const NAMES = {
  Latin: 'Łukasz Đorđević Ñandú & Ğüneş ŐŰ Ẩn',
  Greek: 'Ελένη Παπαδοπούλου ἀρχή',
  Cyrillic: 'Їжакевич Ґалаґан Ёлкина',
  'simplified Chinese': '北京示例软件有限公司',
  'traditional Chinese': '臺灣範例軟體股份有限公司',
  Japanese: '株式会社サンプル 髙﨑 ひろし',
  Korean: '홍길동 주식회사 예제',
  'all of them': 'Żółw Ωμέγα Жук 软件 かな 한글',
}
for (const [script, name] of Object.entries(NAMES)) {
  test(`a name in ${script} is drawn with every letter, and read as it was written`, async () => {
    const pdf = await invoicePdf({ ...invoice, ...bought(name) })
    const { drawn, missing } = glyphsOfPdf(pdf)
    assert.ok(drawn > 200)
    assert.equal(missing, 0)
    assert.ok((await textOfPdf(pdf)).replaceAll(' ', '').includes(name.normalize('NFC').replaceAll(' ', '')))
  })
}

/** The font that draws a name, as something that does not hold it. */
const fontOf = async (name: string) => {
  const [run] = (await fontsFor([name])).runsOf(name)
  assert.ok(run)
  return new WeakRef(run.font)
}

test('no font for the East is held once it has drawn', async () => {
  const japanese = await fontOf('ひろし')
  const korean = await fontOf('홍길동')
  await turn()
  collectGarbage({ type: 'major' })
  assert.deepEqual([japanese.deref() === undefined, korean.deref() === undefined], [true, true])
})

test('a letter that no font has is seen to be missing', async () => {
  assert.equal(glyphsOfPdf(await invoicePdf({ ...invoice, ...bought('ሰላም') })).missing, 3)
})

test('only the letters that are used are embedded', async () => {
  assert.ok((await invoicePdf({ ...invoice, ...bought(NAMES['all of them']) })).length < 150_000)
})

test('the same invoice is the same bytes, drawn here or beside the requests', async () => {
  const here = await invoicePdf(invoice)
  const [first, second] = await Promise.all([drawInvoice(invoice), drawInvoice(invoice)])
  assert.ok(here.equals(first) && here.equals(second))
})

test('a long name and a hundred lines stay on the paper', async () => {
  const text = await read({
    ...bought('无'.repeat(120)),
    lines: Array.from({ length: 100 }, (_, n) => ({
      description: `Line ${n} ${'word '.repeat(40)}`,
      amount: 100,
    })),
  })
  assert.match(text, /Line 99 word/)
  assert.match(text, /117\.10 EUR/)
})

test('lines break between words, and within one that is wider than a line', () => {
  const widthOf = (text: string) => text.length
  assert.deepEqual(wrap('one two three', 8, widthOf), ['one two', 'three'])
  assert.deepEqual(wrap('abcdefghij', 4, widthOf), ['abcd', 'efgh', 'ij'])
  assert.deepEqual(wrap('  a\n b ', 9, widthOf), ['a b'])
  assert.deepEqual(wrap('', 9, widthOf), [''])
})
