import type { Readme } from './versions.ts'

const NAMES: Readonly<Record<string, string>> = {
  'frequently asked questions': 'faq',
  'change log': 'changelog',
}
const MOST_SECTIONS = 30
const MOST_TEXT = 100_000

/**
 * Sections of a readme in the form that WordPress has: `== Title ==`, with `= Title =` inside. The texts are HTML in
 * which everything of the readme is escaped, as who shows them does not look at them.
 */
export function parseReadme(text: string): Readme {
  const sections: Record<string, string> = {}
  let upgradeNotices: Readonly<Record<string, string>> = {}
  const parts = text
    .replaceAll(/\r\n?/g, '\n')
    .split(/^[ \t]*==[ \t]*([^=\n]{1,100}?)[ \t]*==[ \t]*$/m)
    .slice(1)
  for (let at = 0; at + 1 < parts.length && at < 2 * MOST_SECTIONS; at += 2) {
    const title = (parts[at] ?? '').toLowerCase()
    const body = (parts[at + 1] ?? '').trim().slice(0, MOST_TEXT)
    if (title === 'upgrade notice') upgradeNotices = noticesOf(body)
    else sections[NAMES[title] ?? title.replaceAll(/[^a-z0-9]+/g, '_')] = htmlOf(body)
  }
  return { sections, upgradeNotices }
}

/** `= 1.2 =` and what follows it. */
function noticesOf(body: string): Readonly<Record<string, string>> {
  const parts = body.split(/^[ \t]*=[ \t]*([^=\n]{1,64}?)[ \t]*=[ \t]*$/m).slice(1)
  const pairs = parts.flatMap((part, at) =>
    at % 2 === 0 ? [[part, (parts[at + 1] ?? '').trim()] as const] : [],
  )
  return Object.fromEntries(pairs.slice(0, 100).map(([version, notice]) => [version, notice.slice(0, 1_000)]))
}

function htmlOf(body: string): string {
  const blocks = body.split(/\n\s*\n/).flatMap((block) => block.split(/^(?=[ \t]*=[^=\n]+=[ \t]*$)/m))
  return blocks.map(blockOf).join('\n')
}

function blockOf(block: string): string {
  const [first = '', ...rest] = block.trim().split('\n')
  const [, title] = /^=\s*([^=]+?)\s*=$/.exec(first.trim()) ?? []
  if (title !== undefined) {
    const more = rest.length > 0 ? `\n${blockOf(rest.join('\n'))}` : ''
    return `<h4>${escaped(title)}</h4>${more}`
  }
  const lines = [first, ...rest]
  if (lines.every((line) => /^\s*[*-]\s+/.test(line)))
    return `<ul>${lines.map((line) => `<li>${escaped(line.replace(/^\s*[*-]\s+/, ''))}</li>`).join('')}</ul>`
  return first === '' ? '' : `<p>${lines.map(escaped).join('<br>')}</p>`
}

const escaped = (text: string) =>
  text
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
