import type { Context, TxContext } from '../context.ts'
import type { Reader } from '../db/database.ts'
import type { AsideCode } from './codes.ts'
import { NoAccount } from './export-account.ts'
import { importFiles } from './import-files.ts'
import type { Import, ImportReport, PutAside } from './import-rows.ts'
import { findAccount, findRenewed } from './queries.ts'
import { withFolder } from './incoming.ts'
import { Client, type ClientManner, type Login } from './server/client.ts'
import { countUnknown, readMethods, type RenewedHere } from './server/methods.ts'
import { readServer } from './server/read-server.ts'

export interface ServerImport extends Import {
  /** A file of methods of payment (`readMethods`), with which subscriptions are renewed here. */
  readonly methodsFile?: string | undefined
  readonly onProduct?: (title: string) => void
  readonly manner?: ClientManner
  onWritten?(ctx: TxContext, report: ServerReport): Promise<void>
}

export interface ServerReport extends ImportReport {
  /** Methods of payment of subscriptions that the other server has not. */
  readonly aside: readonly PutAside[]
}

/**
 * Brings into an account what another server of this interface tells its developer (`importRows`): read whole into files
 * first, and these brought in as those of an export are. Asked again, it brings what has changed there since.
 */
export async function importServer(ctx: Context, login: Login, given: ServerImport): Promise<ServerReport> {
  const account = await findAccount(ctx.db, given.developerId)
  const [storeId] = account?.storeIds ?? []
  if (storeId === undefined) throw new NoAccount(`There is no account ${given.developerId} with a store.`)
  const methods: RenewedHere =
    given.methodsFile === undefined ? new Map() : await readMethods(given.methodsFile)
  const renewed = new Map([...(await renewalsHere(ctx.db, given.developerId)), ...methods])
  const client = new Client(login, () => ctx.clock.real(), given.manner)
  return withFolder(ctx, async (folder) => {
    const subscriptions = await readServer(client, {
      folder,
      storeId,
      now: ctx.clock.now(),
      renewed,
      ...(given.onProduct && { onProduct: given.onProduct }),
    })
    const aside = unknownOf(countUnknown(methods, subscriptions))
    const bringing: Import = {
      ...given,
      onWritten: async (tx, written) => given.onWritten?.(tx, { ...written, aside }),
    }
    return { ...(await importFiles(ctx, folder, bringing, new URL(login.url).origin)), aside }
  })
}

const unknownOf = (count: number): readonly PutAside[] =>
  count === 0 ? [] : [{ kind: 'payment_methods', reason: 'unknown_subscription' satisfies AsideCode, count }]

/** Of subscriptions that this server renews already, the methods, so that asking again takes none of them away. */
async function renewalsHere(db: Reader, developerId: number): Promise<RenewedHere> {
  const rows = await findRenewed(db, developerId)
  return new Map(
    rows.map(({ id, gateway, payment_method_id: methodId }) => [id, { methodId, gateway, method: null }]),
  )
}
