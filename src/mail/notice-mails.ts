import { Eta } from 'eta'
import type { MailContent } from './message.ts'

const eta = new Eta({ autoTrim: false })

const html = (body: string) => `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
<p>Hello <%= it.name %>,</p>
${body}
</body></html>
`
const text = (body: string) => `Hello <%~ it.name %>,

${body}
`

interface Template {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A mail of these texts in plain text and HTML, the values escaped. */
export const mail = <V extends { readonly product: string }>(template: Template) => {
  const { subject, text: plain, html: marked } = template
  return (values: V): MailContent => ({
    subject: eta.renderString(subject, values),
    text: eta.renderString(text(plain), values),
    html: eta.renderString(html(marked), values),
  })
}

interface PendingActivationValues {
  readonly name: string
  readonly product: string
  /** The address that asks. */
  readonly site: string
  readonly link: string
}

/** The mail with the link by which a known person lets a site use its account (DECISIONS 3.1). */
export const pendingActivationMail = mail<PendingActivationValues>({
  subject: 'Confirm that you use <%~ it.product %>',
  text: `<%~ it.product %> on <%~ it.site %> asks to be connected with your account:

<%~ it.link %>

The link works for 24 hours. Whoever runs this site can then use your account for <%~ it.product %>.
If you did not expect this mail, ignore it.`,
  html: `<p><%= it.product %> on <b><%= it.site %></b> asks to be connected with your account.</p>
<p><a href="<%= it.link %>">Connect it</a></p>
<p>The link works for 24 hours. Whoever runs this site can then use your account for <%= it.product %>.
If you did not expect this mail, ignore it.</p>`,
})

interface EndValues {
  readonly name: string
  readonly product: string
  readonly plan: string
  /** In UTC. */
  readonly ends: string
}

/** The reminder before a license ends that nothing renews. */
export const renewalReminderMail = mail<EndValues>({
  subject: 'Your license for <%~ it.product %> ends soon',
  text: `your license for <%~ it.product %> (<%~ it.plan %>) ends on <%~ it.ends %> UTC.
Renew it before then to keep what it gives you.`,
  html: `<p>your license for <%= it.product %> (<%= it.plan %>) ends on <%= it.ends %> UTC.
Renew it before then to keep what it gives you.</p>`,
})

/** The mail of the day after a license has ended. */
export const licenseExpiredMail = mail<EndValues>({
  subject: 'Your license for <%~ it.product %> has ended',
  text: `your license for <%~ it.product %> (<%~ it.plan %>) ended on <%~ it.ends %> UTC.
You can still renew it.`,
  html: `<p>your license for <%= it.product %> (<%= it.plan %>) ended on <%= it.ends %> UTC.
You can still renew it.</p>`,
})

/** The mail before a trial ends. */
export const trialExpiringMail = mail<EndValues>({
  subject: 'Your trial of <%~ it.product %> ends soon',
  text: `your trial of <%~ it.product %> (<%~ it.plan %>) ends on <%~ it.ends %> UTC.`,
  html: `<p>your trial of <%= it.product %> (<%= it.plan %>) ends on <%= it.ends %> UTC.</p>`,
})
