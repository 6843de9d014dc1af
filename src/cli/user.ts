import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { auditCommand } from '../access/audit-command.ts'
import type { Scope } from '../access/scope.ts'
import { transaction } from '../context.ts'
import type { ProcessContext } from '../open.ts'
import { eraseUser, isAddressOf } from '../sales/privacy/erase-user.ts'
import { exportPage } from '../sales/privacy/export-user.ts'
import { keptOf, type Kept } from '../sales/privacy/kept-rows.ts'
import { scopeOfPerson } from '../sales/privacy/scope-of-person.ts'
import { idArgument, pathArgument } from './arguments.ts'
import { databaseCommand, type Group } from './command.ts'
import { Failure } from './failure.ts'
import { counted } from '../lib/counted.ts'

const user = { '<user>': { describe: 'its id', parse: idArgument } } as const

const exported = databaseCommand({
  describe: 'write everything that is stored of a user, over all products of the seller, into a file',
  docs: 'docs/privacy.md',
  arguments: user,
  options: {
    '--to <file>': { describe: 'the file; it must not be there yet', parse: pathArgument, required: true },
  },
  handler: async (ctx, given) => {
    const scope = await scopeIn(ctx, given.user)
    const records = await writeArchive(ctx, { scope, userId: given.user, file: given.to })
    await transaction(ctx, (tx) =>
      auditCommand(tx, {
        command: 'user-export',
        productId: null,
        developerId: scope.developerId,
        details: { user: given.user },
      }),
    )
    return {
      value: { user_id: String(given.user), file: given.to, records },
      text: `${counted(records, 'record')} of user ${given.user} stand in ${given.to}.`,
    }
  },
})

const erased = databaseCommand({
  describe: 'erase a user from all products of the seller; payments and invoices stay',
  docs: 'docs/privacy.md',
  arguments: user,
  options: {
    '--email <address>': { describe: 'the address of the user, as a check', required: true },
    '--dry-run': { describe: 'say what stays by law, and erase nothing' },
  },
  handler: async (ctx, given) => {
    const scope = await scopeIn(ctx, given.user)
    if (!(await isAddressOf(ctx, scope, given.user, given.email)))
      throw new Failure('other_address', `User ${given.user} has another address.`)
    const kept = await keptOf(ctx.db, given.user)
    if (given.dryRun) {
      const value = { user_id: String(given.user), state: 'untouched', kept }
      return { value, text: `User ${given.user} is not erased: this was a dry run. ${staying(kept)}` }
    }
    const erasure = await transaction(ctx, async (tx) => {
      const details = { user: given.user }
      await auditCommand(tx, {
        command: 'user-erase',
        productId: null,
        developerId: scope.developerId,
        details,
      })
      return eraseUser(tx, scope, given.user)
    })
    const rest = erasure.state === 'erased' ? 'Nothing is left.' : 'The jobs of the server do the rest.'
    return { value: { ...erasure, kept }, text: `User ${given.user} is erased. ${rest} ${staying(kept)}` }
  },
})

/** What the law has a seller keep. */
const staying = ({ payments, invoices }: Kept) =>
  `By law stay ${counted(payments, 'payment')} (refunds among them) with the postings, and ${counted(invoices, 'document')} (invoices and credit notes) with the name and address on them: docs/privacy.md.`

export const command: Group = {
  describe: 'what is stored of a person',
  docs: 'docs/privacy.md',
  commands: { export: exported, erase: erased },
}

async function scopeIn(ctx: ProcessContext, id: number) {
  const scope = await scopeOfPerson(ctx.db, id)
  if (!scope) throw new Failure('not_found', `There is no user ${id}.`)
  return scope
}

interface Archive {
  readonly scope: Scope
  readonly userId: number
  readonly file: string
}

/** Page by page, so that it takes no memory; how many records it has. */
async function writeArchive(ctx: ProcessContext, { scope, userId, file }: Archive): Promise<number> {
  let page = await exportPage(ctx, scope, { userId, after: undefined })
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  const ended = finished(out)
  await Promise.race([once(out, 'open'), ended])
  const write = async (text: string) => {
    if (!out.write(text)) await Promise.race([once(out, 'drain'), ended])
  }
  let count = 0
  await write(`{"format":${JSON.stringify(page.format)},"user_id":"${page.user_id}","records":[`)
  for (;;) {
    for (const record of page.records) await write(`${count++ === 0 ? '\n' : ',\n'}${JSON.stringify(record)}`)
    if (page.next === null) break
    page = await exportPage(ctx, scope, { userId, after: page.next })
  }
  await write('\n]}\n')
  out.end()
  await ended
  return count
}
