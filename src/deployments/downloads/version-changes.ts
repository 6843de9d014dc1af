/** Characters of what is told to have changed in one version. */
const LONGEST = 10_000

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

/**
 * What the readme of a version says has changed in it, as plain text with a line for each point; null: nothing. Of a
 * changelog with a title for each version that of this one alone. `readme` is as it is stored with the version.
 */
export function changesIn(readme: string | null, version: string): string | null {
  const { sections } = JSON.parse(readme ?? '{"sections":{}}') as { sections: Record<string, string> }
  const html = sections['changelog'] ?? ''
  const [whole = '', ...titled] = html.split('<h4>')
  const own = titled.length === 0 ? whole : titled.find((part) => isOf(part, version))
  const text = textOf(own?.replace(/^[^]*?<\/h4>/, '') ?? '')
  return text === '' ? null : text.slice(0, LONGEST)
}

/** Titles are `1.2`, `v1.2`, `Version 1.2` or `1.2 - 2026-01-31`. */
function isOf(part: string, version: string): boolean {
  const title = textOf(part.slice(0, part.indexOf('</h4>')))
  const named = title.replace(/^(?:version\s+|v)/i, '')
  return named === version || (named.startsWith(version) && /^[\s:([–-]/.test(named.slice(version.length)))
}

/** The text of paragraphs and lists as a readme is kept, in which everything else is escaped. */
const textOf = (html: string): string =>
  html
    .replaceAll('<li>', '• ')
    .replaceAll(/<br>|<\/li>|<\/p>/g, '\n')
    .replaceAll(/<\/?[a-z0-9]+>/g, '')
    .replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
