import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DATA_CLASSES, hiddenFromRole, type DataClass } from '../src/access/data-classes.ts'
import { GROUPS, RIGHTS, ROLES, type Group, type Role } from '../src/access/roles.ts'

/** Where the table stands for readers; `npm run roles` writes it. */
export const ROLES_FILE = join(import.meta.dirname, '../docs/roles.md')

const TEXT = `# Roles in a team

The owner of an account and every \`admin\` may do everything. A member of another role may call what its column
allows, in the account and in every product of it; anything else is 401 \`role_not_allowed\`. A role holds for a
session and for an access token that a member took, and changes at once when it is changed. The account's own keys
(\`FS\`) may do everything.

Who is invited may do nothing before it accepts by the link in its mail. Secret keys, of users too, are shown to
admins alone, and so are links into a customer's portal: others mail them to the customer (\`send_email\`). Nor does
another role get what makes it the customer, who may do more than it: a token or link to a checkout as the customer
(\`POST …/licenses/{id}/renewals.json\` mails one), another e-mail address or a password of a user.

Whoever cancels or erases a license, or ends a trial, ends its renewals with it, and needs the right on licenses alone.
All else that changes sales needs the right on sales too: of a license \`cancel_subscription\`,
\`update_subscription_renewal_date\`, and an end taken away while it is renewed; the downgrade of an install whose
license is renewed; and to bring a license along with what was paid for it elsewhere
(\`POST …/users/{id}/plans/{id}/pricing/{id}.json\`).

Of the settings of a product \`redirect_hosts\`, where buyers are led with who they are and what they paid, and
\`charge_arrears\` are changed by admins alone.

A member of \`support\` gives payments back where an admin has given it the right, by \`can_refund\` of the member.

`

/** The document of `RIGHTS`. */
export function rolesDocument(): string {
  const groups = Object.keys(GROUPS) as Group[]
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  return [
    TEXT,
    row(['', 'what it is', ...ROLES]),
    row(['---', '---', ...ROLES.map(() => '---')]),
    ...groups.map((group) =>
      row([group, GROUPS[group], ...ROLES.map((role) => wordOf(RIGHTS[role][group]))]),
    ),
    DATA,
    row(['what', 'where it stands', ...ROLES]),
    row(['---', '---', ...ROLES.map(() => '---')]),
    ...Object.entries(DATA_CLASSES).map(([name, told]) =>
      row([name, whereOf(told), ...ROLES.map((role) => seen(role, name))]),
    ),
  ].join('')
}

const DATA = `
Rights are about data, not about addresses. What a role may not see is left out of every reply, also where it may call
the operation: of entities, of events with their objects and their data, of the stream, and of what a listener is sent
whose address the role has set (\`hides\` of the listener). A listener that is sent more keeps its secret and its address
from being changed by the role, and the answers of its attempts from being read. A listener is the account's: it goes
on as it was set up when the role of who has set it up changes, or that member leaves. Look at the listeners then. Nor does a
role list users by whether they have paid that may not see sales.

`

const named = (fields: readonly string[]) => fields.map((field) => `\`${field}\``).join(', ')

const whereOf = ({ what, fields, beside = [] }: DataClass) =>
  [
    `${what}:`,
    named(fields),
    ...(beside.length > 0 ? [`and beside one of these ${named(beside)}`] : []),
  ].join(' ')

const seen = (role: Role, name: string) => (hiddenFromRole(role).some((one) => one === name) ? '–' : 'shown')

const WORDS = { none: '–', read: 'read', write: 'read and write', given: 'where it is given' } as const
const wordOf = (right: keyof typeof WORDS) => WORDS[right]

if (process.argv[1] === import.meta.filename) await writeFile(ROLES_FILE, rolesDocument())
