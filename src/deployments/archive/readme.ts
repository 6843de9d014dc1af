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
  const titled = titledParts(text.replaceAll(/\r\n?/g, '\n'), '==', 100)
  for (const { title: written, body: whole } of titled.slice(0, MOST_SECTIONS)) {
    const title = written.toLowerCase()
    const body = whole.slice(0, MOST_TEXT)
    if (title === 'upgrade notice') upgradeNotices = noticesOf(body)
    else sections[NAMES[title] ?? title.replaceAll(/[^a-z0-9]+/g, '_')] = htmlOf(body)
  }
  return { sections, upgradeNotices }
}

interface Titled {
  readonly title: string
  readonly body: string
}

/** What follows each title. */
function titledParts(text: string, marks: '=' | '==', longest: number): readonly Titled[] {
  const parts: { title: string; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const title = titleOf(line, marks)
    if (title !== null && title.length <= longest) parts.push({ title, lines: [] })
    else parts.at(-1)?.lines.push(line)
  }
  return parts.map(({ title, lines }) => ({ title, body: lines.join('\n').trim() }))
}

/** Of a line that has the marks on both sides of a text without any. */
function titleOf(line: string, marks: '=' | '=='): string | null {
  const trimmed = line.trim()
  if (!trimmed.startsWith(marks) || !trimmed.endsWith(marks)) return null
  const title = trimmed.slice(marks.length, -marks.length).trim()
  return title === '' || title.includes('=') ? null : title
}

/** `= 1.2 =` and what follows it. */
function noticesOf(body: string): Readonly<Record<string, string>> {
  const parts = titledParts(body, '=', 64).slice(0, 100)
  return Object.fromEntries(parts.map(({ title, body: notice }) => [title, notice.slice(0, 1_000)]))
}

/** Paragraphs and lists between empty lines and titles. */
function htmlOf(body: string): string {
  const blocks: string[][] = [[]]
  for (const line of body.split('\n')) {
    const title = titleOf(line, '=')
    if (title !== null) blocks.push([line], [])
    else if (line.trim() === '') blocks.push([])
    else blocks.at(-1)?.push(line)
  }
  return blocks
    .filter(({ length }) => length > 0)
    .map(blockOf)
    .join('\n')
}

function blockOf(lines: readonly string[]): string {
  const title = titleOf(lines[0] ?? '', '=')
  if (title !== null) return `<h4>${escaped(title)}</h4>`
  const items = lines.map((line) => /^\s*[*-]\s+([^]*)$/.exec(line)?.[1])
  if (!items.includes(undefined))
    return `<ul>${items.map((item = '') => `<li>${escaped(item)}</li>`).join('')}</ul>`
  return `<p>${lines.map(escaped).join('<br>')}</p>`
}

const escaped = (text: string) =>
  text
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
