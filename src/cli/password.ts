import { passwordProblem } from '../lib/password.ts'
import { askPerson, fromPipe } from './asking.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'

/**
 * A new password: from `--password`, a pipe, or a prompt that shows nothing; never a default
 * (`docs/security-checks.md` S38).
 */
export async function readNewPassword(cli: Cli, given: string | undefined): Promise<string> {
  const password = given ?? (process.stdin.isTTY ? await askTwice() : await fromPipe())
  if (given !== undefined) {
    cli.warn(
      'password_in_arguments',
      'a password among the arguments stays in the history of the shell, and others on this machine can see it; pipe it, or leave it out to be asked.',
    )
  }
  if (password === '') {
    throw new Failure(
      'no_password',
      'No password was given: pipe one to standard input, or run this in a terminal.',
    )
  }
  const problem = await passwordProblem(password)
  if (problem !== null) throw new Failure('bad_password', `The password ${problem}.`)
  return password
}

async function askTwice(): Promise<string> {
  const password = await askPerson('Password: ', true)
  if (password !== (await askPerson('The same again: ', true))) {
    throw new Failure('passwords_differ', 'The two passwords are not the same.')
  }
  return password
}
