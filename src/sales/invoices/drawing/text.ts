import type PDFKit from 'pdfkit'
import type { Fonts } from './fonts.ts'

export type Document = InstanceType<typeof PDFKit>

/** Where text stands, in points from the upper left corner; `y` is the line the letters stand on. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size?: number
  readonly isBold?: boolean
  /** Default: left. */
  readonly align?: 'left' | 'right'
}

const SIZE = 9
const LEADING = 1.4

/** How far the lines of this size are from each other. */
export const leading = (size = SIZE): number => size * LEADING

/** Draws text in lines no wider than the place, and answers where the line after the last one stands. */
export function drawText(
  page: { readonly doc: Document; readonly fonts: Fonts },
  text: string,
  place: Place,
): number {
  const { x, width, size = SIZE, isBold = false, align = 'left' } = place
  let y = place.y
  const widthOf = remembered((part: string) =>
    page.fonts.runsOf(part, { isBold }).reduce((sum, run) => sum + advance(run, size), 0),
  )
  for (const line of wrap(text, width, widthOf)) {
    let at = align === 'right' ? x + width - widthOf(line) : x
    for (const run of page.fonts.runsOf(line, { isBold })) {
      page.doc.font(run.font as never).fontSize(size)
      page.doc.text(run.text, at, y, { lineBreak: false, baseline: 'alphabetic' })
      at += advance(run, size)
    }
    y += leading(size)
  }
  return y
}

/** Remembers how wide words are, as they come again and again. */
function remembered(measure: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>()
  return (text) => {
    const width = known.get(text) ?? measure(text)
    known.set(text, width)
    return width
  }
}

type Run = ReturnType<Fonts['runsOf']>[number]

const advance = ({ font, text }: Run, size: number) =>
  (font.layout(text).advanceWidth * size) / font.unitsPerEm

/** Lines that break between words, and inside one only when it is wider than a line. */
export function wrap(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  let taken = 0
  for (const piece of piecesOf(text, width, widthOf)) {
    const wide = widthOf(piece)
    if (line !== '' && taken + wide > width && piece !== ' ') {
      lines.push(line.trimEnd())
      line = ''
      taken = 0
    }
    line += piece
    taken += wide
  }
  return [...lines, line.trimEnd()]
}

const piecesOf = (text: string, width: number, widthOf: (text: string) => number): string[] =>
  [...words.segment(text.replaceAll(/\s+/g, ' ').trim())].flatMap(({ segment }) =>
    widthOf(segment) <= width ? [segment] : [...segment],
  )

const words = new Intl.Segmenter('en', { granularity: 'word' })
