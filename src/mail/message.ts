import { Eta } from 'eta'

/** What a mail says; addresses and ids are added when it is delivered. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const eta = new Eta({ autoTrim: false })

const CONFIRM_TEXT = `Hello <%~ it.name %>,

please confirm that this is your address for <%~ it.product %>:

<%~ it.link %>

The link works for 24 hours. If you did not expect this mail, ignore it.
`

const CONFIRM_HTML = `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
<p>Hello <%= it.name %>,</p>
<p>please confirm that this is your address for <%= it.product %>:</p>
<p><a href="<%= it.link %>">Confirm my address</a></p>
<p>The link works for 24 hours. If you did not expect this mail, ignore it.</p>
</body></html>
`

/** The mail with the link that proves an address. */
export function confirmEmailMail(values: { name: string; product: string; link: string }): MailContent {
  return {
    subject: `Confirm your address for ${values.product}`,
    text: eta.renderString(CONFIRM_TEXT, values),
    html: eta.renderString(CONFIRM_HTML, values),
  }
}

const INVITATION_TEXT = `Hello <%~ it.name %>,

<%~ it.account %> has made you a member of the team. Choose your password here:

<%~ it.link %>

The link works for 7 days. If you did not expect this mail, ignore it.
`

const INVITATION_HTML = `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
<p>Hello <%= it.name %>,</p>
<p><%= it.account %> has made you a member of the team.</p>
<p><a href="<%= it.link %>">Choose my password</a></p>
<p>The link works for 7 days. If you did not expect this mail, ignore it.</p>
</body></html>
`

/** The mail with the link by which a new member of a team chooses a password. */
export function memberInvitationMail(values: { name: string; account: string; link: string }): MailContent {
  return {
    subject: `${values.account} has invited you`,
    text: eta.renderString(INVITATION_TEXT, values),
    html: eta.renderString(INVITATION_HTML, values),
  }
}
