import { transaction } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { fold } from '../lib/fold.ts'
import { issueSignInLink } from '../accounts/sessions/mailed-sign-in.ts'
import { findPersonByEmail } from '../accounts/sessions/password-rows.ts'
import { databaseCommand } from './command.ts'
import { Failure } from './failure.ts'
import { addressToCall } from './running-address.ts'

/** A login without a password, for who runs the server; whoever has two-factor is let in by nothing less. */
export const command = databaseCommand({
  describe: 'print an address that opens the dashboard as a person, once, within an hour',
  options: {
    '--email <address>': { describe: 'address that the person logs in with', required: true },
  },
  handler: async (ctx, { email }) => {
    const address = await addressToCall(ctx)
    const link = await transaction(ctx, async (tx) => {
      const person = await findPersonByEmail(tx.db, fold(email.trim()))
      if (!person) throw new Failure('no_person', `Nobody logs in as ${email}.`)
      const made = await issueSignInLink(tx, person.id, address)
      if (made === null) {
        throw new Failure(
          'two_factor_on',
          `${email} has two-factor, so that no link lets in: log in at ${address}/dashboard/ by password and code.`,
        )
      }
      await auditCommand(tx, { command: 'login-link', productId: null, details: { person: person.id } })
      return made
    })
    return { value: { link }, text: link }
  },
})
