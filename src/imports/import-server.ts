import type { Context } from '../context.ts'
import type { Reader } from '../db/database.ts'
import { NoAccount } from './export-account.ts'
import { importFiles } from './import-files.ts'
import type { Import, ImportReport } from './import-rows.ts'
import { findAccount, findRenewed } from './queries.ts'
import { withFolder } from './incoming.ts'
import { Client, type ClientManner, type Login } from './server/client.ts'
import { readMethods, type RenewedHere } from './server/methods.ts'
import { readServer } from './server/read-server.ts'

export interface ServerImport extends Import {
  /** A file of methods of payment (`readMethods`), with which subscriptions are renewed here. */
  readonly methodsFile?: string | undefined
  readonly onProduct?: (title: string) => void
  readonly manner?: ClientManner
}

/**
 * Brings into an account what another server of this interface tells its developer (`importRows`): read whole into files
 * first, and these brought in as those of an export are. Asked again, it brings what has changed there since.
 */
export async function importServer(ctx: Context, login: Login, given: ServerImport): Promise<ImportReport> {
  const account = await findAccount(ctx.db, given.developerId)
  const [storeId] = account?.storeIds ?? []
  if (storeId === undefined) throw new NoAccount(`There is no account ${given.developerId} with a store.`)
  const methods = given.methodsFile === undefined ? null : await readMethods(given.methodsFile)
  const renewed = new Map([...(await renewalsHere(ctx.db, given.developerId)), ...(methods ?? [])])
  const client = new Client(login, () => ctx.clock.real(), given.manner)
  return withFolder(ctx, async (folder) => {
    await readServer(client, {
      folder,
      storeId,
      now: ctx.clock.now(),
      renewed,
      ...(given.onProduct && { onProduct: given.onProduct }),
    })
    return importFiles(ctx, folder, given, new URL(login.url).origin)
  })
}

/** Of subscriptions that this server renews already, the methods, so that asking again takes none of them away. */
async function renewalsHere(db: Reader, developerId: number): Promise<RenewedHere> {
  const rows = await findRenewed(db, developerId)
  return new Map(
    rows.map(({ id, gateway, payment_method_id: methodId }) => [id, { methodId, gateway, method: null }]),
  )
}
