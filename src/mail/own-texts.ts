import { isFigure } from '../lib/words.ts'
import { isForCustomers } from './answers.ts'
import { SAMPLES } from './samples.ts'
import type { Template } from './templates.ts'

/** A text that a product has of its own for a mail, in one language; `{{name}}` stands for a value. */
export interface OwnText {
  readonly subject: string
  /** What stands before details and button, in paragraphs with an empty line between. */
  readonly body: string
  /** Empty: the built-in word. */
  readonly button: string
  /** What stands at the end; empty: nothing. */
  readonly closing: string
}

type Stored = Readonly<Partial<Record<Template, Readonly<Record<string, OwnText>>>>>

const TEMPLATES = Object.keys(SAMPLES) as Template[]

/** The mails whose texts a product may have of its own: those to its customers. */
export const OWN_TEMPLATES: readonly Template[] = TEMPLATES.filter(isForCustomers).toSorted()

/** What may stand in braces in the text of a mail: who gets it, the product, and what its details say. */
export function placeholdersOf(template: Template): string[] {
  const values = Object.entries(SAMPLES[template] as Readonly<Record<string, unknown>>)
  const told = values.filter(([name, value]) => !LINKS.includes(name) && isTold(value)).map(([name]) => name)
  return ['name', 'product', ...told]
}

/** They have a place of their own in the mail, which no text takes from them. */
const LINKS = ['link', 'portal']

const isTold = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  (typeof value === 'object' && value !== null && !Array.isArray(value) && isFigure(value))

/** The own text of a mail in a language among all of a product, as they are stored; null: it has none. */
export function ownTextIn(stored: string | null, template: Template, language: string): OwnText | null {
  // Few products have any, and mails are written with what is sold.
  if (stored === null) return null
  return (JSON.parse(stored) as Stored)[template]?.[language] ?? null
}

/** In which languages a product has its own text of a mail. */
export const ownLanguages = (stored: string | null, template: Template): string[] =>
  stored === null ? [] : Object.keys((JSON.parse(stored) as Stored)[template] ?? {}).toSorted()

/** As they are stored with another text of a mail; null takes it away. */
export function withOwnText(
  stored: string | null,
  { template, language }: { readonly template: Template; readonly language: string },
  text: OwnText | null,
): string {
  const all: Stored = stored === null ? {} : (JSON.parse(stored) as Stored)
  const others = Object.entries(all[template] ?? {}).filter(([one]) => one !== language)
  const texts = Object.fromEntries(text === null ? others : [...others, [language, text]])
  return JSON.stringify({ ...all, [template]: texts })
}

const BRACES = /\{\{([^{}]*)\}\}/g

/** What of a text stands in braces and is no placeholder of its mail, as it was written. */
export function unknownPlaceholders(text: string, template: Template): string[] {
  const known = placeholdersOf(template)
  const found = [...text.matchAll(BRACES)].filter(([, name = '']) => !known.includes(name.trim()))
  const rest = text.replaceAll(BRACES, '')
  const open = ['{{', '}}'].filter((half) => rest.includes(half))
  return [...new Set([...found.map(([whole]) => whole), ...open])]
}

/** An own text with its values put in; null: the built-in one stands. */
export interface OwnParts {
  readonly subject: string | null
  readonly body: readonly string[] | null
  readonly button: string | null
  readonly closing: readonly string[]
}

/**
 * Puts values into an own text. A paragraph is left out where a value that it names is not there, so that no sentence
 * is broken; of the name of who gets it only the name is.
 */
export function filledOwn(own: OwnText, values: Readonly<Record<string, unknown>>): OwnParts {
  const body = paragraphs(own.body, values)
  return {
    subject: filledPart(own.subject, values),
    body: body.length > 0 ? body : null,
    button: own.button === '' ? null : filledPart(own.button, values),
    closing: paragraphs(own.closing, values),
  }
}

const paragraphs = (text: string, values: Readonly<Record<string, unknown>>): string[] =>
  text
    .split(/\n[ \t]*\n/)
    .map((part) => filledPart(part, values))
    .filter((part) => part !== null)

/** Stands for a name that is not known, which is left out with the space before it. */
const NAMELESS = '\0'

function filledPart(part: string, values: Readonly<Record<string, unknown>>): string | null {
  let isWhole = true
  const filled = part.replaceAll(BRACES, (_, braced: string) => {
    const name = braced.trim()
    const value = valueOf(values[name])
    if (value !== '') return value
    if (name === 'name') return NAMELESS
    isWhole = false
    return ''
  })
  const named = filled.startsWith(NAMELESS) ? filled.replace(/^[\0\s,]+/, '') : filled
  const text = named.replaceAll(` ${NAMELESS}`, '').replaceAll(NAMELESS, '').trim()
  return isWhole && text !== '' ? text : null
}

const valueOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
