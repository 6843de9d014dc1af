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

const blank = (text: string) => text.replaceAll(/[^\n]+/g, (line) => ' '.repeat(line.length))

/** Where code begins, after its opening tag. */
function nextCode(text: string, from: number): number {
  const tag = /<\?(?:php\b|=|(?=\s))/gi
  tag.lastIndex = from
  const found = tag.exec(text)
  return found ? found.index + found[0].length : text.length
}

/** What is not code, tried in this order: the end of code, comments, how texts begin. */
const OTHER =
  /\?>|\/\/[^\n]*?(?=\?>|\n|$)|#(?!\[)[^\n]*?(?=\?>|\n|$)|\/\*[^]*?(?:\*\/|$)|'|"|`|<<<[ \t]*(["']?)(\w{1,200})\1\r?\n/g

function maskCode(text: string, from: number): { masked: string; end: number } {
  const parts: string[] = []
  let at = from
  for (;;) {
    OTHER.lastIndex = at
    const found = OTHER.exec(text)
    if (!found) return { masked: parts.join('') + text.slice(at), end: text.length }
    const end = endOf(text, found)
    parts.push(text.slice(at, found.index), blank(text.slice(found.index, end)))
    if (found[0] === '?>') return { masked: parts.join(''), end }
    at = end
  }
}

function endOf(text: string, found: RegExpExecArray): number {
  const [piece, , heredoc] = found
  if (heredoc !== undefined) return endOfHeredoc(text, found, heredoc)
  return QUOTES.has(piece) ? endOfText(text, found.index + 1, piece) : found.index + piece.length
}

const QUOTES = new Set(["'", '"', '`'])

/** By steps from quote or backslash to the next one: an expression would keep a way back for each character. */
function endOfText(text: string, from: number, quote: string): number {
  const stop = new RegExp(`[${quote}\\\\]`, 'g')
  stop.lastIndex = from
  for (let found = stop.exec(text); found; found = stop.exec(text)) {
    if (found[0] === quote) return found.index + 1
    stop.lastIndex++
  }
  return text.length
}

function endOfHeredoc(text: string, { index, 0: opening }: RegExpExecArray, name: string): number {
  const closing = new RegExp(`^[ \\t]*${name}\\b`, 'gm')
  closing.lastIndex = index + opening.length
  const found = closing.exec(text)
  return found ? found.index + found[0].length : text.length
}
