import { Eta } from 'eta'

/** What a mail says; addresses and ids are added when it is delivered. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface MailAddress {
  /** Empty where there is none. */
  readonly name: string
  readonly address: string
}

/** A mail as it waits in the outbox: `sender` is who the seller says it comes from, null without. */
export interface QueuedContent extends MailContent {
  readonly sender: MailAddress | null
}

const eta = new Eta({ autoTrim: false })

const CONFIRM_TEXT = `Hello <%~ it.name %>,

please confirm that this is your address for <%~ it.product %>:

<%~ it.link %>
<% if (it.site) { %>
<%~ it.site %> asks, and acts for you there from then on. Follow the link only if this is your site.
<% } %>
The link works for 24 hours. If you did not expect this mail, ignore it.
`

const CONFIRM_HTML = `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
<p>Hello <%= it.name %>,</p>
<p>please confirm that this is your address for <%= it.product %>:</p>
<p><a href="<%= it.link %>">Confirm my address</a></p>
<% if (it.site) { %><p><%= it.site %> asks, and acts for you there from then on. Follow the link only if this is your site.</p>
<% } %><p>The link works for 24 hours. If you did not expect this mail, ignore it.</p>
</body></html>
`

interface ConfirmEmailValues {
  readonly name: string
  readonly product: string
  /** The site that asks; null: none does. */
  readonly site: string | null
  readonly link: string
}

/** The mail with the link that proves an address. */
export function confirmEmailMail(values: ConfirmEmailValues): MailContent {
  return {
    subject: `Confirm your address for ${values.product}`,
    text: eta.renderString(CONFIRM_TEXT, values),
    html: eta.renderString(CONFIRM_HTML, values),
  }
}

const INVITATION_TEXT = `Hello <%~ it.name %>,

<%~ it.account %> invites you to join the team:

<%~ it.link %>

The link works for 7 days. If you did not expect this mail, ignore it.
`

const INVITATION_HTML = `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
<p>Hello <%= it.name %>,</p>
<p><%= it.account %> invites you to join the team.</p>
<p><a href="<%= it.link %>">Join the team</a></p>
<p>The link works for 7 days. If you did not expect this mail, ignore it.</p>
</body></html>
`

/** The mail with the link by which a person joins a team. */
export function memberInvitationMail(values: { name: string; account: string; link: string }): MailContent {
  return {
    subject: `${values.account} has invited you`,
    text: eta.renderString(INVITATION_TEXT, values),
    html: eta.renderString(INVITATION_HTML, values),
  }
}
