import type { ReadContext } from '../context.ts'
import { PAGE_STYLE } from '../http/page.ts'
import { template } from '../http/template.ts'
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
  /** Of styles that its script makes, as the policy names it; empty: it makes none. */
  readonly nonce?: string
}

const built = template<Required<Shown> & { readonly files: string }>(`<!doctype html>
<html lang="<%= it.language %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<% if (!it.isFound) { %>
<meta name="robots" content="noindex">
<% } %>
<title><%= it.title %></title>
<% if (it.nonce !== '') { %>
<meta name="csp-nonce" content="<%= it.nonce %>">
<% } %>
<% if (it.page.head !== '') { %>
<script><%~ it.page.head %></script>
<% } %>
<% for (const name of it.page.styles) { %>
<link rel="stylesheet" href="<%= it.files + name %>">
<% } %>
<% for (const name of it.page.preloads) { %>
<link rel="modulepreload" href="<%= it.files + name %>">
<% } %>
<script type="module" src="<%= it.files + it.page.script %>"></script>
<link rel="icon" href="<%= it.prefix %>/favicon.ico">
</head>
<body>
<div id="app"><%~ it.body %></div>
<script type="application/json" id="data"><%~ it.data %></script>
</body>
</html>
`)

/** The HTML of a built page. What it shows first needs no call: its data stands in it. */
export function htmlOf({
  data,
  body = '',
  language = 'en',
  isFound = false,
  nonce = '',
  ...shown
}: Shown): string {
  const files = `${shown.prefix}${FILES}`
  return built({ ...shown, data: inScript(data), body, language, isFound, nonce, files })
}

/** JSON that cannot end the element it stands in. */
const inScript = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c')

interface Plain {
  readonly title: string
  /** HTML. */
  readonly body: string
}

/** The HTML of a page that needs no build, in the style of other small pages. */
export const plainHtml = (page: Plain): string => plain({ ...page, style: PAGE_STYLE })

const plain = template<Plain & { readonly style: string }>(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title><%= it.title %></title><style><%~ it.style %></style></head>
<body><%~ it.body %></body>
</html>
`)
