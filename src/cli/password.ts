import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { passwordProblem } from '../lib/password.ts'
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

/** All of standard input without the end of its last line. */
const fromPipe = async () => (await text(process.stdin)).replace(/\r?\n$/, '')

async function askTwice(): Promise<string> {
  const password = await askUnseen('Password: ')
  if (password !== (await askUnseen('The same again: '))) {
    throw new Failure('passwords_differ', 'The two passwords are not the same.')
  }
  return password
}

/** Asks on the terminal; what is typed is not shown. */
async function askUnseen(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  try {
    return await new Promise((resolve, reject) => {
      const cancel = () => reject(new Failure('cancelled', 'Cancelled: nothing was changed.'))
      lines.once('SIGINT', cancel).once('close', cancel)
      lines.question('').then(resolve, reject)
    })
  } finally {
    process.stderr.write('\n')
    lines.close()
  }
}
