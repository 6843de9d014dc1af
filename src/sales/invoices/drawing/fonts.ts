import { readFile } from 'node:fs/promises'
import { create, type Font } from 'fontkit'

/** A piece of text that one font draws. */
export interface Run {
  readonly font: Font
  readonly text: string
}

/** What draws text of any kind: each character by the first font that has it. */
export interface Fonts {
  runsOf(text: string, options?: { readonly isBold?: boolean }): readonly Run[]
}

const packages = {
  latin: import.meta.resolve('@embedpdf/fonts-latin'),
  chinese: import.meta.resolve('@embedpdf/fonts-sc'),
  japanese: import.meta.resolve('@embedpdf/fonts-jp'),
  korean: import.meta.resolve('@embedpdf/fonts-kr'),
}

const FILES = {
  latin: new URL('../fonts/NotoSans-Regular.ttf', packages.latin),
  bold: new URL('../fonts/NotoSans-Bold.ttf', packages.latin),
  chinese: new URL('../fonts/NotoSansHans-Regular.otf', packages.chinese),
  japanese: new URL('../fonts/NotoSansJP-Regular.otf', packages.japanese),
  korean: new URL('../fonts/NotoSansKR-Regular.otf', packages.korean),
}
type Eastern = 'chinese' | 'japanese' | 'korean'

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u
const UNSEEN = /^[\p{White_Space}\p{Control}\p{Format}]+$/u

/** Characters that many languages share are drawn differently in each: the script beside them tells which. */
function facesFor(text: string): readonly Eastern[] {
  if (KANA.test(text)) return ['japanese', 'chinese', 'korean']
  return HANGUL.test(text) ? ['korean', 'chinese', 'japanese'] : ['chinese', 'japanese', 'korean']
}

let letters: Promise<[Font, Font]> | null = null
async function read(file: URL): Promise<Font> {
  const font = create(await readFile(file))
  if ('fonts' in font) throw new Error(`${file.pathname} is a collection of fonts.`)
  return font
}

/** The fonts that `texts` need; those for Latin, Greek and Cyrillic are always there. */
export async function fontsFor(texts: readonly string[]): Promise<Fonts> {
  letters ??= Promise.all([read(FILES.latin), read(FILES.bold)])
  const [regular, bold] = await letters
  const eastern = await easternFor(texts.join('\n'), [regular, bold])
  return {
    runsOf: (text, { isBold = false } = {}) => runs(text, [isBold ? bold : regular, ...eastern]),
  }
}

/** As few as have what is not in each of the others. */
async function easternFor(text: string, others: readonly Font[]): Promise<readonly Font[]> {
  const isMissing = (segment: string) =>
    !UNSEEN.test(segment) && !others.every((font) => hasAll(font, segment))
  let left = segmentsOf(text).filter(isMissing)
  const fonts: Font[] = []
  for (const face of facesFor(text)) {
    if (left.length === 0) break
    // Not kept: each takes 10 to 15 MB, and is opened again in less than half of the time that drawing with it takes.
    const font = await read(FILES[face])
    const rest = left.filter((segment) => !hasAll(font, segment))
    if (rest.length < left.length) fonts.push(font)
    left = rest
  }
  return fonts
}

/** What no font has is drawn by the first one, as the box that says so. */
function runs(text: string, fonts: readonly Font[]): Run[] {
  const found: { font: Font; text: string }[] = []
  for (const segment of segmentsOf(text)) {
    const font = fonts.find((one) => hasAll(one, segment)) ?? fonts[0]
    const last = found.at(-1)
    if (font === undefined) continue
    if (last?.font === font) last.text += segment
    else found.push({ font, text: segment })
  }
  return found
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const segmentsOf = (text: string) =>
  Array.from(graphemes.segment(text.normalize('NFC')), ({ segment }) => segment)

const hasAll = (font: Font, text: string) =>
  [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))
