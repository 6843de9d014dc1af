import { transaction } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { fold } from '../lib/fold.ts'
import { hashPassword } from '../lib/password.ts'
import { forgetFailures } from '../accounts/sessions/attempts.ts'
import { replacePassword } from '../accounts/sessions/password-rows.ts'
import { endWithPassword } from '../accounts/developers/passwords.ts'
import { deleteTwoFactor } from '../accounts/sessions/two-factor-rows.ts'
import { databaseCommand } from './command.ts'
import { Failure } from './failure.ts'
import { readNewPassword } from './password.ts'

/** Whoever was logged in as this person is not any more, as after a change of the password; who has it gets in at once. */
export const command = databaseCommand({
  isShowing: true,
  describe: 'give a developer, or a member of a team, a new password, and end all log-ins of that person',
  options: {
    '--email <address>': { describe: 'address that the person logs in with', required: true },
    '--without-two-factor': {
      describe: 'switch two-factor off too, for who lost authenticator and backup codes',
    },
    '--password <password>': { describe: 'better: pipe it to standard input, or be asked' },
  },
  handler: async (ctx, { email, password, withoutTwoFactor = false }, cli) => {
    const passwordHash = await hashPassword(await readNewPassword(cli, password), ctx.passwordCost)
    const set = await transaction(ctx, async (tx) => {
      const person = await replacePassword(tx.db, fold(email.trim()), {
        password_hash: passwordHash,
        updated: tx.clock.now(),
      })
      if (!person) throw new Failure('no_person', `Nobody logs in as ${email}.`)
      await endWithPassword(tx, person.id, 0)
      await forgetFailures(tx, person)
      const isOff = withoutTwoFactor && (await deleteTwoFactor(tx.db, person.id))
      const details = { person: person.id, two_factor_off: isOff }
      await auditCommand(tx, { command: 'password', productId: null, details })
      return { ...person, isOff }
    })
    const off = set.isOff ? ' Two-factor is off.' : ''
    return {
      value: { person_id: String(set.id), email: set.email, two_factor_off: set.isOff },
      text: `${set.email} has the new password, and is logged out everywhere.${off}`,
    }
  },
})
