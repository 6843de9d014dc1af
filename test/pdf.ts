import { inflateSync } from 'node:zlib'
import { extractText, getDocumentProxy } from 'unpdf'

/** The text of a PDF as a reader finds it, white space as one blank. */
export async function textOfPdf(pdf: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  return text.replaceAll(/\s+/g, ' ')
}

/** How many letters its pages draw, and how many of them as the box of a letter that the font has not. */
export function glyphsOfPdf(pdf: Buffer): { drawn: number; missing: number } {
  const codes = streamsOf(pdf)
    .flatMap((stream) => [...stream.matchAll(/\[([^\]]*)\] TJ/g)])
    .flatMap(([, shown = '']) => [...shown.matchAll(/<([0-9a-f]+)>/g)])
    .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
  return { drawn: codes.length, missing: codes.filter((code) => code === '0000').length }
}

/** What the streams of a PDF say that can be inflated; those of fonts too, in which no text is shown. */
function streamsOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1')
  return [...text.matchAll(/FlateDecode\s*>>\s*stream\r?\n/g)].flatMap(({ index, 0: { length } }) => {
    const from = index + length
    const bytes = pdf.subarray(from, text.indexOf('endstream', from))
    try {
      return [inflateSync(bytes).toString('latin1')]
    } catch {
      return []
    }
  })
}
