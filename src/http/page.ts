import type { FastifyReply } from 'fastify'
import { ApiError } from '../lib/errors.ts'
import { respond } from './respond.ts'
import { template } from './template.ts'

const layout = template<Page>(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title><%= it.title %></title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem; color: #1c2733 }
  button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .4rem; background: #1b5e9e; color: #fff; cursor: pointer }
</style>
</head>
<body>
<h1><%= it.title %></h1>
<p><%= it.text %></p>
<% if (it.links) { %><ul><% for (const one of it.links) { %><li><a href="<%= one.to %>"><%= one.text %></a></li><% } %></ul><% } %>
<% if (it.button) { %><form method="post">
<% for (const [name, value] of Object.entries(it.sends ?? {})) { %><input type="hidden" name="<%= name %>" value="<%= value %>"><% } %>
<% if (it.password) { %><p><label><%= it.password %><br><input type="password" name="password" autocomplete="new-password" required></label></p><% } %>
<% for (const one of it.fields ?? []) { %><p><label><%= one.label %><br>
<% if (one.choices) { %><select name="<%= one.name %>" required><% for (const [value, text] of one.choices) { %><option value="<%= value %>"><%= text %></option><% } %></select><% } else { %><textarea name="<%= one.name %>" rows="<%= one.rows ?? 1 %>" cols="40" required></textarea><% } %></label></p><% } %>
<button><%= it.button %></button></form><% } %>
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

export interface Page {
  /** Absent: 200. */
  readonly status?: number
  readonly title: string
  readonly text: string
  readonly links?: readonly { readonly to: string; readonly text: string }[]
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
}

/**
 * Sends a small page; everything in it is escaped, and nothing in it can load or run (`docs/security-checks.md` S26).
 */
export function respondPage(reply: FastifyReply, page: Page): void {
  const target = page.leadsTo ? ` ${new URL(page.leadsTo).origin}` : ''
  respond(reply, page.status ?? 200, layout(page), {
    ...page.headers,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'${target}; frame-ancestors 'none'; base-uri 'none'`,
  })
}

/** Does what a link leads to; where it leads to nothing any more (404), a page says so, and in `why` why. */
export async function followLink(reply: FastifyReply, why: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    respondPage(reply, { status: 404, title: 'This link no longer works', text: why })
  }
}
