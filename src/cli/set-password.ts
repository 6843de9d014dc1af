import type { Command } from 'commander'
import { transaction, type Context } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { fold } from '../lib/fold.ts'
import { hashPassword } from '../lib/password.ts'
import { toUtcTime } from '../lib/time.ts'
import { forgetFailures } from '../accounts/sessions/attempts.ts'
import { replacePassword } from '../accounts/sessions/password-rows.ts'
import { endWithPassword } from '../accounts/developers/passwords.ts'
import { deleteTwoFactor } from '../accounts/sessions/two-factor-rows.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'
import { withContext } from './open.ts'
import { readNewPassword } from './password.ts'

interface Options {
  readonly email: string
  readonly password?: string
  readonly withoutTwoFactor?: true
}

export function register(program: Command, cli: Cli): void {
  program
    .command('password')
    .description('give a developer, or a member of a team, a new password')
    .requiredOption('--email <address>', 'address that the person logs in with')
    .option('--without-two-factor', 'switch two-factor off too, for who lost authenticator and backup codes')
    .option('--password <password>', 'better: pipe it to standard input, or be asked')
    .option('--json', 'print one JSON object')
    .action((options: Options) => withContext(cli, (ctx) => setPassword(cli, ctx, options)))
}

/** Whoever was logged in as this person is not any more, as after a change of the password; who has it gets in at once. */
async function setPassword(cli: Cli, ctx: Context, options: Options): Promise<void> {
  const { email, password: given, withoutTwoFactor = false } = options
  const passwordHash = await hashPassword(await readNewPassword(cli, given), ctx.passwordCost)
  const set = await transaction(ctx, async (tx) => {
    const person = await replacePassword(tx.db, fold(email.trim()), {
      password_hash: passwordHash,
      updated: toUtcTime(tx.clock.real()),
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
  cli.result(
    { person_id: String(set.id), email: set.email, two_factor_off: set.isOff },
    `${set.email} has the new password, and is logged out everywhere.${off}`,
  )
}
