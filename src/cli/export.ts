import { counted } from '../lib/counted.ts'
import type { Step } from '../lib/step.ts'
import { exportAccount, FolderNotEmpty, NoAccount } from '../imports/export-account.ts'
import { idArgument, oneOf, pathArgument } from './arguments.ts'
import { databaseCommand } from './command.ts'
import { Failure } from './failure.ts'

const options = {
  '--account <id>': { describe: 'id of the developer', parse: idArgument, required: true },
  '--to <folder>': { describe: 'an empty folder, or one to make', parse: pathArgument, required: true },
  '--format <format>': { describe: 'jsonl or csv', parse: oneOf(['jsonl', 'csv']), default: 'jsonl' },
} as const

export const command = databaseCommand({
  describe:
    'write the catalogue, customers, licenses, sites and sales of an account to files that import reads back into another server',
  docs: 'docs/moving.md',
  options,
  handler: async (ctx, { account, to: folder, format }, cli) => {
    cli.stepBack()
    const onStep = cli.terminal?.isTTY ? (step: Step) => cli.tell(step) : undefined
    const wanted = { developerId: account, folder, format, ...(onStep && { onStep }) }
    const { kinds, made } = await orFailure(exportAccount(ctx, wanted))
    const rows = kinds.reduce((sum, kind) => sum + kind.rows, 0)
    const value = {
      folder,
      account: String(account),
      made,
      rows,
      kinds: Object.fromEntries(kinds.map((kind) => [kind.name, kind.rows])),
    }
    return {
      value,
      text: `${counted(rows, 'row')} of ${counted(kinds.length, 'kind')} written to ${folder}. The files hold keys in clear: keep them as you keep passwords.`,
    }
  },
})

async function orFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FolderNotEmpty)
      throw new Failure('not_empty', `${error.message} Name another folder.`)
    if (error instanceof NoAccount) throw new Failure('not_found', error.message)
    throw error
  }
}
