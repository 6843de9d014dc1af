import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../lib/errors.ts'
import { respond } from './respond.ts'
import { template } from './template.ts'

/** Small, as nothing else is loaded: light and dark, fields as wide as the text. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 32rem; margin: 12vh auto; padding: 0 1rem; background: light-dark(#fff, #14161b); color: light-dark(#16181d, #e7e9ee) }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere }
dt { font-weight: 600; margin-top: .75rem }
dd { margin: 0; overflow-wrap: anywhere }
dl + ul { margin-top: 1.5rem }
ul { margin: 1rem 0; padding: 0; list-style: none }
li { margin: .25rem 0 }
a { color: light-dark(#3d4edb, #9fb0ff) }
label { font-weight: 500 }
input, select, textarea { font: inherit; font-weight: 400; box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .55rem .7rem; border: 1px solid light-dark(#8a93a3, #6b7485); border-radius: 6px; background: light-dark(#fff, #1c1f26); color: inherit }
button { font: inherit; font-weight: 600; min-height: 44px; padding: .6rem 1.2rem; border: 0; border-radius: 6px; background: light-dark(#3d4edb, #4c5df0); color: #fff; cursor: pointer }
:focus-visible { outline: 2px solid light-dark(#3d4edb, #9fb0ff); outline-offset: 2px }
`

/** What a policy allows that style by. */
export const PAGE_STYLE_SOURCE = `'sha256-${hash('sha256', PAGE_STYLE, 'base64')}'`

const layout = template<Page & { readonly style: string }>(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title><%= it.title %></title>
<style><%~ it.style %></style>
</head>
<body>
<main>
<h1><%= it.title %></h1>
<p><%= it.text %></p>
<% if (it.facts) { %><dl><% for (const [name, value] of it.facts) { %><dt><%= name %></dt><dd><%= value %></dd><% } %></dl><% } %>
<% if (it.entries) { %><dl><% for (const one of it.entries) { %><dt><a href="<%= one.to %>"><%= one.text %></a></dt><dd><%= one.says %></dd><% } %></dl><% } %>
<% if (it.links) { %><ul><% for (const one of it.links) { %><li><a href="<%= one.to %>"><%= one.text %></a></li><% } %></ul><% } %>
<% if (it.button) { %><form method="post">
<% for (const [name, value] of Object.entries(it.sends ?? {})) { %><input type="hidden" name="<%= name %>" value="<%= value %>"><% } %>
<% if (it.password) { %><p><label><%= it.password %><br><input type="password" name="password" autocomplete="new-password" required></label></p><% } %>
<% for (const one of it.fields ?? []) { %><p><label><%= one.label %><br>
<% if (one.choices) { %><select name="<%= one.name %>" required><% for (const [value, text] of one.choices) { %><option value="<%= value %>"><%= text %></option><% } %></select><% } else { %><textarea name="<%= one.name %>" rows="<%= one.rows ?? 1 %>" cols="40" required></textarea><% } %></label></p><% } %>
<button><%= it.button %></button></form><% } %>
</main>
</body>
</html>
`)

/** A field above the button: one of a few choices, or text of some rows. */
interface PageField {
  readonly name: string
  readonly label: string
  readonly rows?: number
  readonly choices?: readonly (readonly [value: string, text: string])[]
}

interface Link {
  readonly to: string
  readonly text: string
}

export interface Page {
  /** Absent: 200. */
  readonly status?: number
  readonly title: string
  readonly text: string
  /** What is told of it, each under its name. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  /** Pages of a list, each with what it is about. */
  readonly entries?: readonly (Link & { readonly says: string })[]
  readonly links?: readonly Link[]
  /** Label of the one button, which posts to the page's own address. */
  readonly button?: string
  /** Label of a field `password` above the button. */
  readonly password?: string
  readonly fields?: readonly PageField[]
  /** What the button sends beside the fields, unseen. */
  readonly sends?: Readonly<Record<string, string>>
  /** Where the post may lead to beside this server. */
  readonly leadsTo?: string | null
  /** Beside those of every page. */
  readonly headers?: Readonly<Record<string, string>>
  /** Hosts whose pages may hold it in a frame; absent or none: nobody's. */
  readonly embedHosts?: readonly string[]
}

/** Who may hold a page in a frame, for its policy, and the header that says the same to browsers without policies. */
export const framing = (hosts: readonly string[]) =>
  hosts.length === 0
    ? { ancestors: ["'none'"], headers: {} }
    : { ancestors: hosts, headers: { 'x-frame-options': undefined } }

/**
 * Sends a small page; everything in it is escaped, and nothing in it can load or run (`docs/security-checks.md` S26).
 */
export function respondPage(reply: FastifyReply, page: Page): void {
  const target = page.leadsTo ? ` ${new URL(page.leadsTo).origin}` : ''
  const { embedHosts = [] } = page
  respond(reply, page.status ?? 200, layout({ ...page, style: PAGE_STYLE }), {
    ...page.headers,
    ...framing(embedHosts).headers,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${PAGE_STYLE_SOURCE}; form-action 'self'${target}; frame-ancestors ${framing(embedHosts).ancestors.join(' ')}; base-uri 'none'`,
  })
}

interface Gone {
  readonly why: string
  /** Where another one is asked for. */
  readonly another: Link | null
}

/** Does what a link leads to; where it leads to nothing any more (404), a page says so, why, and what to do. */
export async function followLink(
  reply: FastifyReply,
  gone: () => Gone,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    const { why: text, another } = gone()
    const links = another ? { links: [another] } : {}
    respondPage(reply, { status: 404, title: 'This link no longer works', text, ...links })
  }
}
