import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { fromUtcTime } from '../../../lib/time.ts'
import { moneyText, percentText } from '../../../lib/words.ts'
import { fontsFor } from './fonts.ts'
import { grossOf, type Invoice, type Party } from './invoice.ts'
import { drawText, leading, type Document } from './text.ts'
import type { Fonts } from './fonts.ts'

const LEFT = 56
const RIGHT = 539
const WIDTH = RIGHT - LEFT
const COLUMN = 210
const AMOUNT = 110
const TOP = 70
const BOTTOM = 780

/** An invoice stays as it was issued, whatever the language of its mail. */
const LANGUAGE = 'en'
const NAMES = { invoice: 'Invoice', credit_note: 'Credit note' } as const
const REVERSE_CHARGE =
  'Reverse charge: the recipient accounts for the VAT (in the EU: article 196 of Directive 2006/112/EC).'

interface Page {
  readonly doc: Document
  readonly fonts: Fonts
  readonly invoice: Invoice
}

/** The invoice as a PDF of A4 pages with embedded subsets of its fonts; the same bytes for the same invoice. */
export async function invoicePdf(invoice: Invoice): Promise<Buffer> {
  const fonts = await fontsFor(textsOf(invoice))
  const doc = new PDFDocument({ size: 'A4', margin: 0, font: '', info: infoOf(invoice), lang: LANGUAGE })
  const page = { doc, fonts, invoice }
  const pdf = buffer(doc)
  drawNotes(page, drawTotals(page, drawLines(page, drawParties(page, drawHead(page)))))
  doc.end()
  return pdf
}

const textsOf = ({ seller, buyer, lines, method }: Invoice): string[] => [
  ...[seller, buyer].flatMap((party) => [party.name, ...party.lines, party.vatId]),
  ...lines.map(({ description }) => description),
  method ?? '',
]

const infoOf = ({ kind, number, seller, issuedAt }: Invoice) => ({
  Title: `${NAMES[kind]} ${number}`,
  Author: seller.name,
  CreationDate: new Date(fromUtcTime(issuedAt)),
})

function drawHead(page: Page): number {
  const { kind, number, issuedAt, correctedNumber, isTest, method } = page.invoice
  let y = drawText(page, NAMES[kind], { x: LEFT, y: TOP, width: COLUMN, size: 20, isBold: true })
  const facts = [`Number ${number}`, `Date ${issuedAt.slice(0, 10)}`]
  if (correctedNumber !== null) facts.push(`For invoice ${correctedNumber}`)
  for (const fact of facts) y = drawText(page, fact, { x: LEFT, y, width: COLUMN })
  const stamp = kind === 'invoice' ? 'PAID' : 'REFUNDED'
  const right = { x: RIGHT - COLUMN, width: COLUMN, align: 'right' } as const
  let beside = drawText(page, stamp, { ...right, y: TOP, size: 16, isBold: true })
  if (method !== null) beside = drawText(page, method, { ...right, y: beside })
  if (isTest) drawText(page, 'Test: no money was moved', { ...right, y: beside })
  return y + 24
}

function drawParties(page: Page, top: number): number {
  const { seller, buyer } = page.invoice
  const left = drawParty(page, seller, { title: 'From', x: LEFT, y: top })
  const right = drawParty(page, buyer, { title: 'To', x: LEFT + WIDTH / 2, y: top })
  return Math.max(left, right) + 24
}

function drawParty(page: Page, party: Party, at: { title: string; x: number; y: number }): number {
  const place = { x: at.x, width: COLUMN }
  let y = drawText(page, at.title, { ...place, y: at.y, isBold: true })
  y = drawText(page, party.name, { ...place, y, size: 11 })
  for (const line of party.lines) y = drawText(page, line, { ...place, y })
  return party.vatId === '' ? y : drawText(page, `VAT ID ${party.vatId}`, { ...place, y })
}

const amountAt = { x: RIGHT - AMOUNT, width: AMOUNT, align: 'right' } as const

function drawLines(page: Page, top: number): number {
  const { lines, currency } = page.invoice
  drawText(page, 'Description', { x: LEFT, y: top, width: WIDTH - AMOUNT, isBold: true })
  drawText(page, 'Amount', { ...amountAt, y: top, isBold: true })
  let y = rule(page, top + 6)
  for (const { description, amount } of lines) {
    drawText(page, moneyText({ minor: amount, currency }, LANGUAGE), { ...amountAt, y })
    y = drawText(page, description, { x: LEFT, y, width: WIDTH - AMOUNT - 10 })
    if (y > BOTTOM) {
      page.doc.addPage()
      y = TOP
    }
  }
  return rule(page, y - 4)
}

function drawTotals(page: Page, top: number): number {
  const { invoice } = page
  const { currency, tax, taxName, taxRate, kind, isReverseCharged } = invoice
  const gross = grossOf(invoice)
  const rate =
    isReverseCharged && tax === 0
      ? `${percentText({ percent: 0 }, LANGUAGE)}, reverse charge`
      : percentText({ percent: taxRate / 10_000 }, LANGUAGE)
  const rows: readonly (readonly [string, number, boolean])[] = [
    ['Net', gross, false],
    [`${taxName} ${rate}`, tax, false],
    [kind === 'invoice' ? 'Total' : 'Total given back', gross + tax, true],
  ]
  let y = top
  for (const [name, amount, isBold] of rows) {
    drawText(page, moneyText({ minor: amount, currency }, LANGUAGE), { ...amountAt, y, isBold })
    y = drawText(page, name, { x: RIGHT - AMOUNT - COLUMN, y, width: COLUMN, align: 'right', isBold })
  }
  return y + 16
}

function drawNotes(page: Page, top: number): void {
  if (page.invoice.isReverseCharged) drawText(page, REVERSE_CHARGE, { x: LEFT, y: top, width: WIDTH })
}

/** A line across the page; answers where text below it stands. */
function rule({ doc }: Page, y: number): number {
  doc.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.5).stroke('#888888')
  doc.fillColor('#000000')
  return y + leading()
}
