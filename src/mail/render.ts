import { Eta } from 'eta'
import { isHttpUrl } from '../lib/formats.ts'
import { figureText, isFigure } from '../lib/words.ts'
import type { MailContent } from './message.ts'
import { filledOwn, type OwnParts, type OwnText } from './own-texts.ts'
import type { MailText, Template, Templates, Texts } from './templates.ts'

/** What a mail shows of the product it is about. */
export interface Brand {
  /** Empty for a mail about no product. */
  readonly product: string
  /** Address of its picture; null: none. */
  readonly logo: string | null
  /** Its own text of the mail; absent or null: the built-in one. */
  readonly own?: OwnText | null
}

/** What a mail is filled with. */
export interface Filled<T extends Template> {
  readonly template: T
  /** Of who gets it; empty where it is not known. */
  readonly name: string
  readonly values: Templates[T]
  /** Address after which no more mails like this one come. */
  readonly unsubscribe?: string | undefined
}

type Fill = (template: string, values: object) => string

/** The compiled parts of the texts: as many as there are texts. */
function filler(autoEscape: boolean): Fill {
  const eta = new Eta({ autoEscape, autoTrim: false })
  const compiled = new Map<string, ReturnType<typeof eta.compile>>()
  return (template, values) => {
    const known = compiled.get(template) ?? eta.compile(template)
    compiled.set(template, known)
    return eta.render(known, values)
  }
}

const plain = filler(false)
const marked = filler(true)

/**
 * A mail in plain text and HTML, every value in one line, in its language and, in HTML, escaped
 * (`docs/security-checks.md` S26).
 */
export function renderMail<T extends Template>(
  { language, mails, greeting, unsubscribe }: Texts,
  brand: Brand,
  { template, name, values, unsubscribe: end }: Filled<T>,
): MailContent {
  const text: MailText = mails[template]
  const it = written({ ...values, product: brand.product, name: greeted(name) }, language) as Values
  const own = brand.own ? filledOwn(brand.own, it) : BUILT_IN
  const shared = {
    language,
    text,
    greeting,
    it,
    own,
    unsubscribe: end === undefined ? null : { label: unsubscribe, link: end },
  }
  return {
    subject: own.subject ?? plain(text.subject, it),
    text: asText(shared),
    html: asHtml(shared, brand),
  }
}

const BUILT_IN: OwnParts = { subject: null, body: null, button: null, closing: [] }

interface Values extends Readonly<Record<string, unknown>> {
  readonly link?: string
  readonly downloads?: readonly { readonly link: string }[]
  readonly portal?: string
  readonly keys?: readonly object[]
}

interface Shared {
  readonly language: string
  readonly text: MailText
  readonly greeting: string
  readonly it: Values
  readonly own: OwnParts
  readonly unsubscribe: { readonly label: string; readonly link: string } | null
}

const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu

/**
 * Values as a language writes them. Nothing that comes from a person begins a line of its own, or turns the direction
 * of one.
 */
function written(value: unknown, language: string): unknown {
  if (typeof value === 'string') return value.replaceAll(BREAKS, ' ')
  if (Array.isArray(value)) return value.map((one) => written(one, language))
  if (typeof value !== 'object' || value === null) return value
  if (isFigure(value)) return figureText(value, language)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, written(one, language)]))
}

/** One word of letters, in one or two parts. */
const WORD = /^[\p{L}\p{M}'’ʼ]{2,24}(?:[·-][\p{L}\p{M}'’ʼ]{2,24})?$/u
/** A sentence in these needs no spaces. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u
const LONGEST_UNSPACED = 6

/** What a stranger may have typed for a name: one word of it, as several may be a sentence; empty where it is none. */
export function greeted(name: string): string {
  const [first = ''] = name.trim().split(' ')
  const isShort = !UNSPACED.test(first) || [...first].length <= LONGEST_UNSPACED
  return isShort && WORD.test(first) ? first : ''
}

const filled = (fill: Fill, parts: readonly string[] | undefined, it: object): string[] =>
  (parts ?? []).map((part) => fill(part, it)).filter((part) => part !== '')

function asText({ text, greeting, it, own, unsubscribe }: Shared): string {
  const keys = (it.keys ?? []).map((one) => filled(plain, text.keys, { one }).join('\n  '))
  const rows = rowsOf(plain, text, it).map(([label, value]) => `${label}: ${value}`)
  const blocks = [
    plain(greeting, it),
    ...(own.body ?? filled(plain, text.body, it)),
    ...keys,
    rows.join('\n'),
    text.button === undefined ? '' : (it.link ?? ''),
    ...linksOf(text, it).map(([to, label]) => `${label}: ${to}`),
    ...filled(plain, text.end, it),
    ...own.closing,
    unsubscribe === null ? '' : `${unsubscribe.label}: ${unsubscribe.link}`,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

const rowsOf = (fill: Fill, { rows }: MailText, it: object) =>
  (rows ?? []).map(([label, value]) => [label, fill(value, it)] as const).filter(([, value]) => value !== '')

const linksOf = ({ download, portal }: MailText, { downloads = [], portal: entry = '' }: Values) => [
  ...(download === undefined ? [] : downloads.map((one) => [one.link, plain(download, { one })] as const)),
  ...(portal === undefined || entry === '' ? [] : [[entry, portal] as const]),
]

const STYLE = 'font: 16px/1.5 sans-serif; color: #1c2733; max-width: 36em; margin: 0 auto; padding: 1em'
const BUTTON =
  'display: inline-block; padding: .6em 1.2em; border-radius: .4em; background: #1b5e9e; color: #fff; text-decoration: none'
const KEY = 'font: 15px/1.5 monospace; background: #eef2f6; padding: .3em .5em; overflow-wrap: anywhere'

function asHtml({ language, text, greeting, it, own, unsubscribe }: Shared, brand: Brand): string {
  const paragraph = (part: string) => `<p>${part}</p>`
  const keys = (it.keys ?? []).map((one) => {
    const [key = '', about = ''] = (text.keys ?? []).map((part) => marked(part, { one }))
    return paragraph(key === '' ? about : `<code style="${KEY}">${key}</code><br>${about}`)
  })
  const rows = rowsOf(marked, text, it).map(([label, value]) => `<tr><td>${label}</td><td>${value}</td></tr>`)
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"></head><body style="${STYLE}">
${[
  logoOf(brand),
  paragraph(marked(greeting, it)),
  ...(own.body?.map(escapedLines) ?? filled(marked, text.body, it)).map(paragraph),
  ...keys,
  rows.length === 0 ? '' : `<table cellpadding="4">${rows.join('')}</table>`,
  text.button === undefined || it.link === ''
    ? ''
    : paragraph(link(it.link ?? '', own.button ?? text.button, BUTTON)),
  ...linksOf(text, it).map(([to, label]) => paragraph(link(to, label))),
  ...filled(marked, text.end, it).map(paragraph),
  ...own.closing.map(escapedLines).map(paragraph),
  unsubscribe === null ? '' : `<p><small>${link(unsubscribe.link, unsubscribe.label)}</small></p>`,
]
  .filter((block) => block !== '')
  .join('\n')}
</body></html>
`
}

/** Text as HTML shows it. */
export const escapedText = (text: string): string => marked('<%= it.text %>', { text })

const escapedLines = (text: string) => text.split('\n').map(escapedText).join('<br>')

/** An address that is none of the web leads nowhere (`docs/security-checks.md` S26). */
const link = (to: string, label: string, style?: string) =>
  marked('<a href="<%= it.to %>"<% if (it.style) { %> style="<%= it.style %>"<% } %>><%= it.label %></a>', {
    to: isHttpUrl(to) ? to : '#',
    label,
    style,
  })

const logoOf = ({ logo, product }: Brand) =>
  logo === null || !isHttpUrl(logo)
    ? ''
    : marked('<p><img src="<%= it.logo %>" alt="<%= it.product %>" height="48"></p>', { logo, product })

/**
 * The built-in text of a mail as an own one begins: each value as the placeholder that stands for it. What it says in
 * some cases alone is in it as in the preview.
 */
export function startOf(
  { mails }: Texts,
  template: Template,
  { placeholders, sample }: { readonly placeholders: readonly string[]; readonly sample: object },
): OwnText {
  const text = mails[template]
  const it = { ...sample, ...Object.fromEntries(placeholders.map((name) => [name, `{{${name}}}`])) }
  return {
    subject: plain(text.subject, it),
    body: filled(plain, text.body, it).join('\n\n'),
    button: text.button ?? '',
    closing: '',
  }
}
