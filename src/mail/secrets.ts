import { isHttpUrl } from '../lib/formats.ts'
import type { MailContent } from './message.ts'
import { escapedText, type Filled } from './render.ts'
import type { Template } from './templates.ts'

/** What a mail is filled with that lets its reader act: addresses of the web, and license keys. */
export function secretsOf({
  values,
  unsubscribe,
}: Pick<Filled<Template>, 'values' | 'unsubscribe'>): string[] {
  const found = secretsIn(values, '')
  return [...new Set(unsubscribe === undefined ? found : [...found, unsubscribe])]
}

function secretsIn(value: unknown, name: string): string[] {
  if (typeof value === 'string') return (name === 'key' && value !== '') || isLink(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => secretsIn(one, Array.isArray(value) ? name : key))
}

const isLink = (text: string) => text.startsWith('http') && isHttpUrl(text)

/**
 * A mail as its sender may look at it: of links the host alone, of keys the last four characters, and nothing in it
 * leads anywhere.
 */
export function covered({ subject, text, html }: MailContent, secrets: readonly string[]): MailContent {
  // One may begin with another.
  const longest = secrets.toSorted((a, b) => b.length - a.length)
  const cover = (whole: string, written: (secret: string) => string) =>
    longest.reduce((rest, secret) => rest.replaceAll(written(secret), () => coverOf(secret)), whole)
  return {
    subject: cover(subject, (secret) => secret),
    text: cover(text, (secret) => secret),
    html: cover(html, escapedText).replaceAll(/ href="[^"]*"/g, ' href="#"'),
  }
}

const coverOf = (secret: string): string =>
  isLink(secret) ? `${new URL(secret).origin}/…` : `…${secret.slice(-4)}`
