/**
 * PHP with everything blanked that is no code: HTML, comments and the content of texts become spaces, lines stay lines.
 * It is as long as the original, so that what is found in one is at the same place in the other.
 */
export function maskPhp(text: string): string {
  const parts: string[] = []
  let at = 0
  while (at < text.length) {
    const open = nextCode(text, at)
    parts.push(blank(text.slice(at, open)))
    const { masked, end } = maskCode(text, open)
    parts.push(masked)
    at = end
  }
  return parts.join('')
}

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')

/** Where code begins, after its opening tag. */
function nextCode(text: string, from: number): number {
  const tag = /<\?(?:php\b|=)/gi
  tag.lastIndex = from
  const found = tag.exec(text)
  return found ? found.index + found[0].length : text.length
}

/** What is not code, tried in this order: the end of code, comments, texts. */
const OTHER =
  /\?>|\/\/[^\n]*?(?=\?>|\n|$)|#(?!\[)[^\n]*?(?=\?>|\n|$)|\/\*[^]*?(?:\*\/|$)|'(?:[^'\\]|\\[^])*(?:'|$)|"(?:[^"\\]|\\[^])*(?:"|$)|`(?:[^`\\]|\\[^])*(?:`|$)|<<<[ \t]*(["']?)(\w+)\1\r?\n/g

function maskCode(text: string, from: number): { masked: string; end: number } {
  const parts: string[] = []
  let at = from
  for (;;) {
    OTHER.lastIndex = at
    const found = OTHER.exec(text)
    if (!found) return { masked: parts.join('') + text.slice(at), end: text.length }
    const end = found[2] === undefined ? found.index + found[0].length : endOfHeredoc(text, found, found[2])
    parts.push(text.slice(at, found.index), blank(text.slice(found.index, end)))
    if (found[0] === '?>') return { masked: parts.join(''), end }
    at = end
  }
}

function endOfHeredoc(text: string, { index, 0: opening }: RegExpExecArray, name: string): number {
  const closing = new RegExp(`^[ \\t]*${name}\\b`, 'gm')
  closing.lastIndex = index + opening.length
  const found = closing.exec(text)
  return found ? found.index + found[0].length : text.length
}
