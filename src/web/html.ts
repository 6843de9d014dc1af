import type { ReadContext } from '../context.ts'
import type { BuiltPage } from './manifest.ts'

/** What comes before each address of this server behind a proxy: empty, or a path without a slash at the end. */
export const prefixOf = ({ baseUrl }: Pick<ReadContext, 'baseUrl'>): string =>
  new URL(baseUrl).pathname.replace(/\/$/, '')

/** Where the files of the build stand. */
export const FILES = '/-/web/'

interface Shown {
  readonly page: BuiltPage
  readonly title: string
  /** As `prefixOf` says it. */
  readonly prefix: string
  /** Given to the page's script: any JSON. */
  readonly data: unknown
  /** What is seen before the script runs, and without it: HTML, escaped. */
  readonly body?: string
  readonly language?: string
  readonly isFound?: boolean
}

/** The HTML of a built page. What it shows first needs no call: its data stands in it. */
export function htmlOf({
  page,
  title,
  prefix,
  data,
  body = '',
  language = 'en',
  isFound = false,
}: Shown): string {
  const at = (name: string) => `${prefix}${FILES}${name}`
  return [
    `<!doctype html>`,
    `<html lang="${escaped(language)}">`,
    `<head>`,
    `<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    isFound ? '' : `<meta name="robots" content="noindex">`,
    `<title>${escaped(title)}</title>`,
    page.head === '' ? '' : `<script>${page.head}</script>`,
    ...page.styles.map((name) => `<link rel="stylesheet" href="${at(name)}">`),
    ...page.preloads.map((name) => `<link rel="modulepreload" href="${at(name)}">`),
    `<script type="module" src="${at(page.script)}"></script>`,
    `<link rel="icon" href="${prefix}/favicon.ico">`,
    `</head>`,
    `<body>`,
    `<div id="app">${body}</div>`,
    `<script type="application/json" id="data">${inScript(data)}</script>`,
    `</body>`,
    `</html>`,
    ``,
  ]
    .filter((line, at, all) => line !== '' || at === all.length - 1)
    .join('\n')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => ENTITIES[one] ?? one)

/** JSON that cannot end the element it stands in. */
const inScript = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c')
