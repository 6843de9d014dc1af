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
