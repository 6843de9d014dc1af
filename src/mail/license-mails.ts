import { Eta } from 'eta'
import type { MailContent } from './message.ts'

const eta = new Eta({ autoTrim: false })

export interface MailedKey {
  readonly key: string
  /** The plan's title. */
  readonly plan: string
  /** In UTC; null: never. */
  readonly ends: string | null
  readonly isCancelled: boolean
}

interface KeysValues {
  readonly name: string
  readonly product: string
  readonly keys: readonly MailedKey[]
}

const STATE = `<% if (it.one.isCancelled) { %>cancelled<% } else if (it.one.ends === null) { %>never ends<% } else { %>ends on <%~ it.one.ends %> UTC<% } %>`

const state = (one: MailedKey) => eta.renderString(STATE, { one })

const TEXT = `Hello <%~ it.name %>,

<%~ it.intro %>

<% for (const one of it.keys) { %><%~ one.key %>
  <%~ one.plan %>, <%~ it.state(one) %>

<% } %>Keep this mail: whoever has a key can use what it opens.
`

const HTML = `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
<p>Hello <%= it.name %>,</p>
<p><%= it.intro %></p>
<ul><% for (const one of it.keys) { %>
<li><code><%= one.key %></code><br><%= one.plan %>, <%= it.state(one) %></li><% } %>
</ul>
<p>Keep this mail: whoever has a key can use what it opens.</p>
</body></html>
`

const keysMail = (subject: string, intro: string, values: KeysValues): MailContent => ({
  subject,
  text: eta.renderString(TEXT, { ...values, intro, state }),
  html: eta.renderString(HTML, { ...values, intro, state }),
})

/** The mail with the key of a license that somebody was given or has bought. */
export const licenseMail = (values: KeysValues): MailContent =>
  keysMail(`Your license for ${values.product}`, `this is your license key for ${values.product}.`, values)

/** The mail with all keys of a person, who has asked for them. */
export const licenseKeysMail = (values: KeysValues): MailContent =>
  keysMail(
    `Your license keys for ${values.product}`,
    `these are your license keys for ${values.product}.`,
    values,
  )
