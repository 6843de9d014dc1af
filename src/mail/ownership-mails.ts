import { Eta } from 'eta'
import type { MailContent } from './message.ts'

const eta = new Eta({ autoTrim: false })

interface Values {
  readonly product: string
  /** The address of the site, or what else it calls itself. */
  readonly site: string
  readonly owner: string
  readonly candidate: string
  readonly link: string
}

const END = 'The link works for 24 hours. Nothing changes until both of you have agreed.'

const OWNER_TEXT = `Hello,

somebody asks to give <%~ it.product %> on <%~ it.site %> to <%~ it.candidate %>. If you agree:

<%~ it.link %>

${END} If you do not want this, ignore this mail.
`

const OWNER_HTML = `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
<p>Hello,</p>
<p>somebody asks to give <%= it.product %> on <%= it.site %> to <%= it.candidate %>.</p>
<p><a href="<%= it.link %>">Look at it, and agree</a></p>
<p>${END} If you do not want this, ignore this mail.</p>
</body></html>
`

const CANDIDATE_TEXT = `Hello,

<%~ it.owner %> wants to give you <%~ it.product %> on <%~ it.site %>. That site will then act for you in this product. If you agree:

<%~ it.link %>

${END} If you do not know this site, ignore this mail.
`

const CANDIDATE_HTML = `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
<p>Hello,</p>
<p><%= it.owner %> wants to give you <%= it.product %> on <%= it.site %>. That site will then act for you in this product.</p>
<p><a href="<%= it.link %>">Look at it, and agree</a></p>
<p>${END} If you do not know this site, ignore this mail.</p>
</body></html>
`

/** The mail with the link by which one side of a change of ownership agrees. */
export function ownershipMail(side: 'owner' | 'candidate', values: Values): MailContent {
  const [text, html] = side === 'owner' ? [OWNER_TEXT, OWNER_HTML] : [CANDIDATE_TEXT, CANDIDATE_HTML]
  return {
    subject: `Change of ownership: ${values.product} on ${values.site}`,
    text: eta.renderString(text, values),
    html: eta.renderString(html, values),
  }
}
